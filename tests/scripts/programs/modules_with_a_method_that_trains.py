# also: nnx, linen
"""Modules that train themselves in a method, by an optimizer that it makes or is given, alone or with a module that they are given."""

import torch
from torch import nn, optim


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(4, 3)
        self.b = nn.Linear(3, 1)

    def forward(self, x):
        return self.b(torch.tanh(self.a(x)))

    def train_batch(self, x, y, optimizer):
        optimizer.zero_grad()
        loss = ((self(x) - y) ** 2).mean()
        loss.backward()
        optimizer.step()
        return loss.item()

    def trainer(self, optimizer, x, y):
        def train(i):
            loss = ((self(x) - y) ** 2).mean() * i
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            return loss

        return train


x = torch.linspace(-1, 1, 24).view(6, 4)
y = x.sum(1, keepdim=True)
net = Net()
with torch.no_grad():
    for p in net.parameters():
        p.copy_(torch.linspace(-1, 1, p.numel()).view_as(p))
optimizer = optim.Adam(net.parameters(), lr=0.1)
for i in range(3):
    print(net.train_batch(x, y, optimizer))
step = net.trainer(optimizer, x, y)
for i in range(3):
    print(step(i).item())
print(net(x).tolist())
