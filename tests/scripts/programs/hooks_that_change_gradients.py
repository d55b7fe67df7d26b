# also: nnx, linen
"""Hooks of tensors that give another gradient: by a lambda, by a function, behind a question for gradients, in a loop over steps."""
import torch
import torch.nn as nn

LIMIT = 0.01


def halve(grad):
    return grad * 0.5


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.RNN(2, 3, batch_first=True)
        self.fc = nn.Linear(3, 1)

    def forward(self, x):
        out, h = self.rnn(x)
        if self.training:
            out.register_hook(lambda g: g.clamp(min=-LIMIT, max=LIMIT))
        return self.fc(out[:, -1])


class Dynamics(nn.Module):
    def __init__(self):
        super().__init__()
        self.next = nn.Linear(3, 3)
        self.value = nn.Linear(3, 1)

    def forward(self, hidden):
        return torch.tanh(self.next(hidden))


def fill(module):
    for i, p in enumerate(module.parameters()):
        p.data.fill_(0.1 * (i + 1))


net = Net()
fill(net)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.linspace(-1, 1, 12).view(2, 3, 2)
for i in range(3):
    loss = net(x).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(loss.item())

dynamics = Dynamics()
fill(dynamics)
opt = torch.optim.SGD(dynamics.parameters(), lr=0.1)
for step in range(3):
    hidden = torch.ones(2, 3)
    loss = 0
    for i in range(3):
        hidden = dynamics(hidden)
        hidden.register_hook(lambda grad: grad * 0.5)
        loss = loss + dynamics.value(hidden).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(loss.item(), dynamics.next.weight.sum().item())

w = torch.ones(3, requires_grad=True)
z = w * 3
if z.requires_grad:
    handle = z.register_hook(halve)
(z ** 2).sum().backward()
print(w.grad.tolist())
