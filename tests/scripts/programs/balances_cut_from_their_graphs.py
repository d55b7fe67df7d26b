# also: linen
import torch
import torch.nn as nn
from torch import optim

G = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 5), nn.Sigmoid())
D_ = nn.Sequential(nn.Linear(5, 8), nn.ReLU(), nn.Linear(8, 5))
with torch.no_grad():
    for i, p in enumerate(G.parameters()):
        p.copy_(torch.cos(torch.arange(p.numel(), dtype=torch.float32) + i).reshape(p.shape) * 0.2)
    for i, p in enumerate(D_.parameters()):
        p.copy_(torch.cos(torch.arange(p.numel(), dtype=torch.float32) + i).reshape(p.shape) * 0.2)


def D(X):
    X_recon = D_(X)
    return torch.mean(torch.sum(torch.abs(X - X_recon), 1))


def reset_grad():
    G.zero_grad()
    D_.zero_grad()


k = torch.tensor(0.0)
lam = 0.1
gamma = 0.5
G_solver = optim.Adam(G.parameters(), lr=0.01)
D_solver = optim.Adam(D_.parameters(), lr=0.01)
for it in range(5):
    X = torch.sin(torch.arange(20, dtype=torch.float32) + it).reshape(4, 5)
    z_D = torch.cos(torch.arange(12, dtype=torch.float32) + it).reshape(4, 3)
    D_loss = D(X) - k * D(G(z_D))
    D_loss.backward()
    D_solver.step()
    reset_grad()
    z_G = torch.cos(torch.arange(12, dtype=torch.float32) - it).reshape(4, 3)
    G_loss = D(G(z_G))
    G_loss.backward()
    G_solver.step()
    reset_grad()
    k = k + lam * (gamma * D(X) - D(G(z_G)))
    print(round(k.item(), 4))
    k = k.detach()
    print(round(D_loss.item(), 4), round(G_loss.item(), 4), round(k.item(), 4))
