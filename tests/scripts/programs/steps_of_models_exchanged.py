# flagged: T2J303
import torch
from torch import nn


def start(model, k):
    with torch.no_grad():
        for p in model.parameters():
            p.copy_(torch.linspace(-0.9, 1, p.numel()).reshape(p.shape) * k)


def make_step(model, optimizer):
    def step(x, y):
        optimizer.zero_grad()
        loss = (model(x) - y).pow(2).mean()
        loss.backward()
        optimizer.step()
        return loss

    return step


x = torch.linspace(-1, 1, 24).reshape(8, 3)
y = x.sum(1, keepdim=True)
net = nn.Linear(3, 1)
start(net, 1)
first = net
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
step = make_step(net, optimizer)
step(x, y)
print(net(x).sum().item())
net = nn.Linear(3, 1)
start(net, 2)
step(x, y)
print(net(x).sum().item(), first(x).sum().item())
