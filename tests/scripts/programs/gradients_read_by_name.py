# also: nnx, linen
"""Gradients of single parameters, read where there are some, where there are none, and where there may be none."""

import torch
import torch.nn as nn

c = nn.Sequential(nn.Linear(3, 2), nn.Linear(2, 1))
for i, p in enumerate(c.parameters()):
    nn.init.constant_(p, 0.1 * (i + 1))
opt = torch.optim.Adam(c.parameters(), lr=0.1)
x = torch.linspace(-1.0, 1.0, 6).reshape(2, 3)
for epoch in range(3):
    g = c[0].weight.grad
    print(epoch, g is None, c[1].bias.grad is not None and c[1].bias.grad.sum().item())
    opt.zero_grad()
    print(c[0].bias.grad)
    loss = c(x).pow(2).mean()
    loss.backward()
    if c[0].weight.grad is not None:
        print(c[0].weight.grad.norm().item())
    opt.step()


class C(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 2)

    def forward(self, x):
        return self.fc(x)


c = C()
for i, p in enumerate(c.parameters()):
    nn.init.constant_(p, 0.1 * (i + 1))
opt2 = torch.optim.Adam(c.parameters(), lr=0.1)
x = torch.linspace(-1.0, 1.0, 6).reshape(2, 3)
for epoch in range(2):
    opt2.zero_grad()
    print(c.fc.weight.grad)
    loss = c(x).pow(2).mean()
    loss.backward()
    opt2.step()
    print(c.fc.weight.grad.norm().item())
