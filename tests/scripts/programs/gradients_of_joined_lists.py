# also: nnx
"""Loops that empty the gradients of a list with the parameters of several networks."""

import torch
from torch import nn


def fill(net):
    with torch.no_grad():
        for i, p in enumerate(net.parameters()):
            p.copy_(torch.sin(torch.arange(p.numel(), dtype=torch.float32) * 0.7 + i).reshape(p.shape) * 0.3)


x = torch.cos(torch.arange(24.0)).reshape(6, 4)
y = torch.sin(torch.arange(12.0)).reshape(6, 2)
G = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 4))
D = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
fill(G)
fill(D)
G_solver = torch.optim.Adam(G.parameters(), lr=0.01)
D_solver = torch.optim.Adam(D.parameters(), lr=0.01)
params = list(G.parameters()) + list(D.parameters())


def reset_grad():
    for p in params:
        if p.grad is not None:
            p.grad.data.zero_()


for it in range(3):
    G_sample = G(x)
    D_real = D(y.repeat(1, 2))
    D_fake = D(G_sample)
    D_loss = -torch.mean(torch.sigmoid(D_real)) + torch.mean(torch.sigmoid(D_fake))
    D_loss.backward()
    D_solver.step()
    for p in D.parameters():
        p.data.clamp_(-0.2, 0.2)
    reset_grad()
    G_sample = G(x)
    D_fake = D(G_sample)
    G_loss = -torch.mean(D_fake)
    G_loss.backward()
    G_solver.step()
    for p in list(G.parameters()) + list(D.parameters()):
        p.data.clamp_(-0.5, 0.5)
    reset_grad()
    print(D_loss.item(), G_loss.item())
opt = torch.optim.SGD(list(G.parameters()) + list(D.parameters()), lr=0.1)
for it in range(3):
    loss = (D(G(x)) ** 2).mean()
    for p in list(G.parameters()) + list(D.parameters()):
        p.grad = None
    loss.backward()
    torch.nn.utils.clip_grad_norm_(list(G.parameters()) + list(D.parameters()), 0.1)
    opt.step()
    print(loss.item())
