# also: nnx, linen
"""Gradients read of one variable that holds one model after the other."""

import torch
import torch.nn as nn
class A(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 2)
    def forward(self, x):
        return self.fc(x)
x = torch.linspace(-1.0, 1.0, 6).reshape(2, 3)
net = A()
for p in net.parameters():
    nn.init.constant_(p, 0.1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for i in range(2):
    opt.zero_grad()
    loss = net(x).pow(2).sum()
    loss.backward()
    opt.step()
print(net.fc.weight.grad.sum().item())
net = A()
for p in net.parameters():
    nn.init.constant_(p, 0.3)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
print(net.fc.weight.grad)
for i in range(2):
    opt.zero_grad()
    loss = net(x).pow(2).sum()
    loss.backward()
    print(net.fc.weight.grad.abs().sum().item())
    opt.step()
print(net.fc.weight.grad.abs().sum().item())
old = net
