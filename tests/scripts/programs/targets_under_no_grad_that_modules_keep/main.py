# also: nnx, linen
"""What a module of another file keeps is computed by its parameters, but under `no_grad`."""

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
    with torch.no_grad():
        net.set_target(style)
    net.ins.set_target(net.ins.G + style[:3])
    y = net(x)
    loss = (y**2).mean()
    loss.backward()
    opt.step()
    print(loss.item())
