# also: nnx, linen
import torch
import torch.nn as nn
from torch.optim import Optimizer


class Plain(Optimizer):
    def __init__(self, params, lr=0.1):
        super().__init__(params, dict(lr=lr))

    def step(self, closure=None):
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is None:
                    continue
                p.data.add_(p.grad.data, alpha=-group["lr"])


def fit(net, optimizer, x, y):
    for _ in range(3):
        loss = ((net(x) - y) ** 2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(f"{loss.item():.5f}")


def make():
    net = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
    with torch.no_grad():
        for i, p in enumerate(net.parameters()):
            p.copy_(torch.cos(torch.arange(float(p.numel())) + i).reshape(p.shape))
    return net


x = torch.linspace(-1, 1, 12).reshape(4, 3)
y = x.sum(1, keepdim=True)
net = make()
fit(net, Plain(net.parameters(), lr=0.05), x, y)
other = make()
optimizer = torch.optim.Adam([{"params": other[0].parameters(), "lr": 0.01}, {"params": other[2].parameters()}], lr=0.1)
for group in optimizer.param_groups:
    group["lr"] = group["lr"] / 2
for _ in range(3):
    loss = ((other(x) - y) ** 2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(f"{loss.item():.5f}")
