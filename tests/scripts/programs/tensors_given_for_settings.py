"""A setting of a base class that turns out to be a tensor: a tensor in a field is not trained."""

import argparse

import torch
from torch import nn


class Base(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 2)
        self.scale = 1.0

    def forward(self, x):
        return self.fc(x) * self.scale


class Net(Base):
    pass


settings = argparse.Namespace(scale=torch.tensor(2.0))
net = Net()
with torch.no_grad():
    for p in net.parameters():
        p.copy_(torch.linspace(-1, 1, p.numel()).view_as(p))
net.scale = vars(settings)["scale"]
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.linspace(-1, 1, 6).view(3, 2)
for _ in range(3):
    loss = net(x).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(loss.item())
print(float(net.scale), [name for name, _ in net.named_parameters()])
