"""Two optimizers: the gradients of two passes add up for one of them, and each pass is only for what is trained with it."""

import torch
import torch.nn as nn

X = torch.linspace(-1, 1, 24).view(8, 3)
batches = [X[i : i + 2] for i in range(0, 8, 2)]


def fill(m):
    with torch.no_grad():
        for p in m.parameters():
            p.copy_(torch.linspace(-0.5, 1.0, p.numel()).view_as(p))


def show(m):
    print([round(float(v), 4) for p in m.parameters() for v in p.detach().flatten()])


G, D = nn.Linear(2, 3), nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
fill(G)
fill(D)
opt_g = torch.optim.SGD(G.parameters(), lr=0.3, momentum=0.9)
opt_d = torch.optim.SGD(D.parameters(), lr=0.3)
criterion = nn.BCEWithLogitsLoss()
for i, x in enumerate(batches):
    z = torch.full((2, 2), 0.1 * (i + 1))
    D.zero_grad()
    real = criterion(D(x), torch.ones(2, 1))
    real.backward()
    made = criterion(D(G(z).detach()), torch.zeros(2, 1))
    made.backward()
    opt_d.step()
    G.zero_grad()
    fooled = criterion(D(G(z)), torch.ones(2, 1))
    fooled.backward()
    opt_g.step()
    print(round(real.item() + made.item(), 4), round(fooled.item(), 4))
show(G)
show(D)
