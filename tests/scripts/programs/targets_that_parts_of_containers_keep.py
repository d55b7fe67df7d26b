# flagged: T2J500
"""Parts of a container read what was computed from the parameters in front of the step."""

import torch
import torch.nn as nn


class Scale(nn.Module):
    def __init__(self):
        super().__init__()
        self.by = torch.ones(3)

    def forward(self, x):
        return x * self.by


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.ctx = nn.Linear(2, 3)
        self.head = nn.Sequential(nn.Sequential(nn.Linear(3, 3), Scale()), nn.Linear(3, 1))

    def forward(self, x):
        return self.head(x)


net = Net()
with torch.no_grad():
    for p in net.parameters():
        p.copy_(torch.sin(torch.arange(p.numel()).float() * 0.7 + 1).view(p.shape) * 0.5)
x = torch.sin(torch.arange(12).float()).view(4, 3)
c = torch.cos(torch.arange(2).float())
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for i in range(4):
    net.head[0][1].by = net.ctx(c)
    loss = (net(x) ** 2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(loss.item())
