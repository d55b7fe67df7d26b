# flagged: T2J500
"""A module of another file keeps what is computed from the parameters, for the step behind it."""

import torch
from net import Net

def fill(model):
    with torch.no_grad():
        for p in model.parameters():
            p.copy_(torch.sin(torch.arange(p.numel()).float() * 0.7 + 1).view(p.shape) * 0.5)


net = Net()
fill(net)
x = torch.sin(torch.arange(12).float()).view(4, 3)
style = torch.cos(torch.arange(12).float()).view(4, 3)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for i in range(4):
    opt.zero_grad()
    net.set_target(style)
    y = net(x)
    loss = (y**2).mean()
    loss.backward()
    opt.step()
    print(loss.item())
