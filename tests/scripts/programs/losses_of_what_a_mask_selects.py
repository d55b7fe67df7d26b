import torch
import torch.nn as nn
import torch.nn.functional as F

head = nn.Linear(5, 3)
for i, p in enumerate(head.parameters()):
    p.data = torch.sin(torch.arange(p.numel()).float() * 0.7 + i).view(p.shape) * 0.3
feats = torch.cos(torch.arange(45.0)).view(9, 5)
opt = torch.optim.SGD(head.parameters(), lr=0.1)
target = torch.arange(9) % 3
for step in range(5):
    out = head(feats)
    pos = target > 0
    loss = F.cross_entropy(out[pos], target[pos], reduction="sum") / max(pos.sum().item(), 1)
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(step, loss.item(), int(pos.sum()))
