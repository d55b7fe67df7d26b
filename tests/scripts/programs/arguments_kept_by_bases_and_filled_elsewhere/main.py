# flagged: T2J601, also: nnx
"""A field that a base class makes of an argument, and that another file gives a tensor, which is not trained."""

import torch
from models import Net

net = Net(3)
for p in net.parameters():
    p.data.fill_(0.3)
net.mask = torch.tensor([1.0, 0.5])
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.linspace(-1, 1, 6).reshape(2, 3)
for _ in range(3):
    loss = (net(x) - 1).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(loss.item())
