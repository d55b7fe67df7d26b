# also: nnx, linen
"""Lists that nobody looks at, made for what happens to parameters and layers."""

import torch
from torch import nn

net = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 2))
teacher = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 2))
with torch.no_grad():
    [p.copy_(torch.sin(torch.arange(p.numel()) + i).view(p.shape)) for i, p in enumerate(net.parameters())]
    # each twice as large
    [p.mul_(2.0) for p in net.parameters() if p.dim() > 1]
[nn.init.constant_(m.bias, 0.5) for m in net.modules() if isinstance(m, nn.Linear)]
[t.data.copy_(p.data) for t, p in zip(teacher.parameters(), net.parameters())]
[p.requires_grad_(False) for p in teacher.parameters()]
x = torch.cos(torch.arange(12.0)).view(4, 3)
print(net(x).sum().item(), teacher(x).sum().item())
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(3):
    loss = (net(x) - 1).pow(2).mean() + (net(x) - teacher(x)).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    with torch.no_grad():
        [t.mul_(0.9).add_(p, alpha=0.1) for t, p in zip(teacher.parameters(), net.parameters())]
    print(loss.item(), teacher(x).sum().item())
