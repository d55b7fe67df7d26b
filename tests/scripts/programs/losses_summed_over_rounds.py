# flagged: T2J500
import torch
import torch.nn as nn
import torch.nn.functional as F

net = nn.Linear(3, 1)
with torch.no_grad():
    for i, p in enumerate(net.parameters()):
        p.copy_(torch.sin(torch.arange(p.numel(), dtype=torch.float32)).reshape(p.shape))
opt = torch.optim.Adam(net.parameters(), lr=0.02)
seq = torch.cos(torch.arange(72, dtype=torch.float32)).view(8, 3, 3)
for ep in range(2):
    loss = 0
    for t in range(8):
        loss = loss + (net(seq[t]).squeeze(1) - seq[t].sum(1)).pow(2).mean()
        if (t + 1) % 4 == 0:
            opt.zero_grad()
            loss.backward()
            opt.step()
            print(ep, t, f"{loss.item():.4f}")
            loss = 0
