"""Tensors in tuples, in tuples of tuples, and in those that functions and models give, changed in place."""

import torch
import torch.nn as nn


def show(*tensors):
    print([t.tolist() for t in tensors])


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(7, 4)
        self.lstm = nn.LSTM(4, 5, 1, batch_first=True)
        self.linear = nn.Linear(5, 7)

    def forward(self, x, h):
        out, (h, c) = self.lstm(self.embed(x), h)
        out = out.reshape(out.size(0) * out.size(1), out.size(2))
        return self.linear(out), (h, c)


def words():
    model = Net()
    with torch.no_grad():
        for p in model.parameters():
            p.copy_(torch.sin(torch.arange(p.numel()) * 1.7 + p.dim()).view_as(p))
        state = (torch.zeros(1, 1, 5), torch.zeros(1, 1, 5))
        word = torch.ones(1, 1, dtype=torch.long)
        for i in range(5):
            output, state = model(word, state)
            word.fill_((output.argmax().item() + i) % 7)
            print(word.item(), round(output.sum().item(), 3), round(state[1].sum().item(), 3))


def pair(x):
    return x * 2, (x + 1, x * 3)


def deep(x):
    return (x * 4, x + 1), [x * 2, x - 1], 3


def results():
    x = torch.ones(3)
    p, (q, r) = pair(x)
    r.add_(1)
    p[0] = 9
    x.mul_(2)
    show(p, q, r, x)
    (p, q), rest, n = deep(torch.ones(3))
    rest[1].mul_(2)
    q[0] = n
    v = rest[0][1:]
    rest[0].add_(5)
    show(p, q, rest[0], rest[1], v)
    given = pair(torch.ones(2))
    inner = given[1]
    inner[1].add_(1)
    show(given[0], given[1][0], given[1][1], inner[1])


def results_of_rounds():
    x = torch.ones(2)
    state = (torch.zeros(2), torch.ones(2))
    old = None
    for i in range(3):
        y, state = pair(x)
        z, w = state
        if old is not None:
            old.add_(1)
            show(old, z)
        old = z
        w.sub_(old)
        x.fill_(i + 2)
        show(state[0], state[1], y)
    show(old, z, w)


def two_names():
    a = torch.ones(2)
    t = (a, a + 1)
    u = t
    u[0].add_(1)
    show(t[0], u[0], a)
    t = (torch.ones(2), torch.ones(2))
    u = t
    held = [t, u]
    u[1].mul_(3)
    show(t[1], u[1], held[0][1], held[1][1])


def tuples_in_tuples():
    a = torch.ones(2)
    t = ((a,),)
    u = t[0]
    w = u
    u[0].sub_(3)
    show(t[0][0], u[0], w[0], a)
    d = {"k": (a, [a, a * 2])}
    i = d["k"]
    k = i[1]
    k[1].add_(1)
    a.mul_(4)
    show(d["k"][0], d["k"][1][0], d["k"][1][1], i[0], k[0], k[1])
    t = ((a, a + 1), [a * 2, (a * 3,)])
    b = t[1][1]
    c = t[0]
    a.add_(1)
    b[0].mul_(2)
    c[1].mul_(5)
    show(t[0][0], t[0][1], t[1][0], t[1][1][0], a, b[0], c[0], c[1])


words()
results()
results_of_rounds()
two_names()
tuples_in_tuples()
