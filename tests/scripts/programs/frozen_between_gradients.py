# flagged: T2J502
"""A discriminator is frozen while gradients would be added to its own."""

import torch
import torch.nn as nn


def filled(model):
    with torch.no_grad():
        for p in model.parameters():
            p.copy_(torch.sin(torch.arange(p.numel()) * 1.3 + 0.4).reshape(p.shape) * 0.5)
    return model


def set_requires_grad(nets, requires_grad=False):
    for net in nets:
        for param in net.parameters():
            param.requires_grad = requires_grad


G = filled(nn.Linear(2, 3))
D = filled(nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1)))
og = torch.optim.Adam(G.parameters(), lr=0.1)
od = torch.optim.Adam(D.parameters(), lr=0.1)
z = torch.linspace(-1, 1, 10).reshape(5, 2)
real = torch.linspace(0, 1, 15).reshape(5, 3)
for i in range(4):
    od.zero_grad()
    fake = G(z)
    set_requires_grad([D], False)
    og.zero_grad()
    lg = ((D(fake) - 1) ** 2).mean()
    lg.backward()
    og.step()
    set_requires_grad([D], True)
    ld = (D(fake.detach()) ** 2).mean() + ((D(real) - 1) ** 2).mean()
    ld.backward()
    od.step()
    print(ld.item(), lg.item())
