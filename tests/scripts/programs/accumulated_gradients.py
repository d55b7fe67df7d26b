"""Gradients that go on from statement to statement, as they do in torch."""

import torch
import torch.nn as nn
import torch.nn.functional as F

X = torch.linspace(-1, 1, 24).view(8, 3)
Y = torch.tensor([0, 1, 1, 0, 1, 0, 0, 1])
batches = [(X[i : i + 2], Y[i : i + 2]) for i in range(0, 8, 2)]


def fill(m):
    with torch.no_grad():
        for p in m.parameters():
            p.copy_(torch.linspace(-0.5, 1.0, p.numel()).view_as(p))


def show(m):
    print([round(float(v), 4) for p in m.parameters() for v in p.detach().flatten()])


def train(model, optimizer, data, k):
    """What the last batches leave is there when it is called again."""
    norms = []
    for i, (x, y) in enumerate(data):
        loss = F.cross_entropy(model(x), y) / k
        loss.backward()
        if (i + 1) % k == 0:
            norms.append(torch.nn.utils.clip_grad_norm_(model.parameters(), 0.1).item())
            optimizer.step()
            optimizer.zero_grad()
    return norms


class Trainer:
    def __init__(self, model, lr):
        self.model = model
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=lr, momentum=0.9)

    def fit(self, data, steps, micro):
        for step in range(steps):
            total = 0.0
            self.optimizer.zero_grad(set_to_none=True)
            for j in range(micro):
                x, y = data[(step + j) % len(data)]
                loss = F.cross_entropy(self.model(x), y) / micro
                total += loss.detach()
                loss.backward()
            norm = torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
            self.optimizer.step()
            print(round(total.item(), 4), round(norm.item(), 4))


m = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 2))
fill(m)
opt = torch.optim.Adam(m.parameters(), lr=0.05)
for epoch in range(3):
    norms = train(m, opt, batches, 3)
    print([round(v, 4) for v in norms])
show(m)

m2 = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 2))
fill(m2)
trainer = Trainer(m2, 0.3)
trainer.fit(batches, 3, 2)
show(trainer.model)

m3 = nn.Linear(3, 2)
fill(m3)
opt3 = torch.optim.SGD(m3.parameters(), lr=0.3, momentum=0.9)
for x, y in batches:
    opt3.zero_grad()
    a = F.cross_entropy(m3(x), y)
    a.backward()
    b = m3(x).pow(2).mean()
    b.backward()
    opt3.step()
for x, y in batches:  # never cleared
    loss = F.cross_entropy(m3(x), y)
    loss.backward()
    opt3.step()
show(m3)
