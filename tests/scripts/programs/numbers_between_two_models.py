# also: nnx, linen
"""A generator and a discriminator whose losses are weighted by numbers of what they are computed from; a logger in the step."""

import torch
import torch.nn as nn
import torch.nn.functional as F


def fill(m):
    with torch.no_grad():
        for p in m.parameters():
            p.copy_(torch.linspace(-0.5, 0.7, p.numel()).view_as(p))


class Writer:
    def add_scalar(self, name, value, step):
        print(name, round(value, 3), step)


G = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 2))
D = nn.Sequential(nn.Linear(2, 4), nn.Tanh(), nn.Linear(4, 1))
fill(G)
fill(D)
opt_d = torch.optim.Adam(D.parameters(), lr=0.05)
opt_g = torch.optim.Adam(G.parameters(), lr=0.05)
X = torch.linspace(-1, 1, 12).view(4, 3) ** 3
R = torch.linspace(-1, 1, 8).view(4, 2)
writer = Writer()
seen = []
for i in range(3):
    real = D(R)
    fake = D(G(X).detach())
    seen.append(real.detach().numpy().mean())
    w = 1.5 if seen[-1] > 0 else 0.5
    d_loss = w * (F.softplus(-real).mean() + F.softplus(fake).mean())
    opt_d.zero_grad()
    d_loss.backward()
    opt_d.step()

    sample = G(X)
    score = D(sample)
    seen.append(score.detach().numpy().mean())
    if seen[-1] > seen[-2]:
        v = 1.0
    else:
        v = 2.0
    g_loss = v * F.softplus(-score).mean() + 0.1 * sample.pow(2).mean()
    if i % 2 == 0:
        writer.add_scalar("loss", g_loss.item(), i)
        spread = (score - score.mean()).abs().sum()
        writer.add_scalar("spread", spread.item(), i)
    opt_g.zero_grad()
    g_loss.backward()
    opt_g.step()
    print(d_loss.item(), g_loss.item(), v, w)
