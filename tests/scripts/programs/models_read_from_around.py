# flagged: T2J303
import torch
from torch import nn


def start(model, k=1):
    with torch.no_grad():
        for p in model.parameters():
            p.copy_(torch.linspace(-0.9, 1, p.numel()).reshape(p.shape) * k)


x = torch.linspace(-1, 1, 24).reshape(8, 3)
y = x.sum(1, keepdim=True)
net = nn.Linear(3, 1)
start(net)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)


def report():
    print(net(x).sum().item())


def fit(model, optimizer, n):
    for _ in range(n):
        optimizer.zero_grad()
        loss = (model(x) - y).pow(2).mean()
        loss.backward()
        optimizer.step()
        print(net(x).sum().item())
        report()


fit(net, optimizer, 3)
print(net(x).sum().item())
