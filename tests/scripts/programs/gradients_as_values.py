# also: linen
"""Gradients that no optimizer uses: read by name, in comprehensions and loops, added up, and taken off parameters by hand."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 4)
        self.bn = nn.BatchNorm1d(4)
        self.out = nn.Linear(4, 1)
        self.register_buffer("scale", torch.tensor(2.0))

    def forward(self, x):
        return self.out(torch.tanh(self.bn(self.fc(x)))) * self.scale


def fill(m):
    with torch.no_grad():
        for p in m.parameters():
            p.copy_(torch.linspace(-0.5, 1.0, p.numel()).view_as(p))


def show(values):
    print([round(v, 4) for v in values])


x = torch.linspace(-1, 1, 12).view(4, 3) ** 2
model = Net()
fill(model)
loss = model(x).pow(2).mean()
loss.backward()
g1 = model.fc.weight.grad.clone()
show(g1.flatten().tolist())
model.zero_grad()
loss = model(x * 2).pow(2).mean()
loss.backward()
show(model.fc.weight.grad.flatten().tolist())
grads = {n: p.grad.numpy() for n, p in model.named_parameters()}
for n in grads:
    print(n, round(float(grads[n].sum()), 4))
(model(x).mean() * 3).backward()
show([float(p.grad.abs().sum()) for p in model.parameters()])
show([float(p.grad.abs().sum()) for p in model.fc.parameters()])


def by_hand(net, steps):
    for i in range(steps):
        loss = F.mse_loss(net(x), torch.ones(4, 1))
        net.zero_grad()
        loss.backward()
        with torch.no_grad():
            for p in net.parameters():
                p -= 0.1 * p.grad
        print(round(loss.item(), 4))


by_hand(model, 3)


def two(a, b):
    loss = (a(x) - b(x)).pow(2).mean()
    loss.backward()
    show([p.grad.norm().item() for p in a.parameters()])
    show([p.grad.norm().item() for p in b.parameters()])
    return a.weight.grad, b.weight.grad


a, b = nn.Linear(3, 2), nn.Linear(3, 2)
fill(a)
with torch.no_grad():
    for p in b.parameters():
        p.fill_(0.25)
ga, gb = two(a, b)
show((ga - gb).flatten().tolist())


def accumulated(net):
    net.zero_grad()
    for chunk in x.split(2):
        net(chunk).sum().backward()
    return {n: p.grad for n, p in net.named_parameters()}


for n, g in accumulated(a).items():
    print(n, round(g.sum().item(), 4))
