import torch
from torch import nn


def start(model, k=1):
    with torch.no_grad():
        for p in model.parameters():
            p.copy_(torch.linspace(-0.9, 1, p.numel()).reshape(p.shape) * k)


def make_step(model, optimizer):
    def step(x, y):
        optimizer.zero_grad()
        loss = (model(x) - y).pow(2).mean()
        loss.backward()
        optimizer.step()
        return loss.item()

    return step


x = torch.linspace(-1, 1, 24).reshape(8, 3)
y = x.sum(1, keepdim=True)
batches = [(x[:4], y[:4]), (x[4:], y[4:])]
net = nn.Linear(3, 1)
start(net)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)


def outer(step, n):
    for _ in range(n):
        inner(step)


def inner(step):
    for a, b in batches:
        print(step(a, b))


outer(make_step(net, optimizer), 2)
print(net(x).sum().item())
