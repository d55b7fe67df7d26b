"""`retain_graph=True` where no second backward pass needs the graph: several steps, and a state that is cut from its past."""

import torch
import torch.nn as nn


def fill(m):
    with torch.no_grad():
        for p in m.parameters():
            p.copy_(torch.linspace(-0.5, 1.0, p.numel()).view_as(p))


G, D = nn.Linear(2, 3), nn.Linear(3, 3)
fill(G)
fill(D)
opt_g = torch.optim.SGD(G.parameters(), lr=0.05)
opt_d = torch.optim.Adam(D.parameters(), lr=0.1)
h = torch.zeros(3)
for i, x in enumerate(torch.linspace(-1, 1, 18).view(6, 3)):
    made = G(torch.full((2,), 0.1 * (i + 1)))
    g_loss = (D(made) - 1).pow(2).mean()
    opt_g.zero_grad()
    g_loss.backward(retain_graph=True)
    opt_g.step()
    h = h.detach()
    h = torch.tanh(D(x) + 0.5 * h)
    d_loss = h.pow(2).sum() + D(made.detach()).mean()
    opt_d.zero_grad()
    d_loss.backward(retain_graph=True)
    opt_d.step()
    print(round(g_loss.item(), 4), round(d_loss.item(), 4))
print([round(v, 4) for v in D.weight.flatten().tolist()])
