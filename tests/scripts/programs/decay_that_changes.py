# also: nnx, linen
"""Weight decay that no group says for itself, and changes in all."""

import torch
import torch.nn as nn
import torch.nn.functional as F

x = torch.linspace(-1, 1.7, 24).reshape(8, 3)
y = torch.tensor([0, 1, 1, 0, 1, 0, 0, 1])
model = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 2))
with torch.no_grad():
    for p in model.parameters():
        p.copy_(torch.linspace(-0.5, 0.6, p.numel()).reshape(p.shape))


opt = torch.optim.SGD(
    [{"params": model[0].parameters(), "lr": 0.1}, {"params": model[2].parameters()}], lr=0.2, weight_decay=0.3
)
for i in range(4):
    for g in opt.param_groups:
        g["weight_decay"] = 0.1 * i
    opt.zero_grad()
    loss = F.cross_entropy(model(x), y)
    loss.backward()
    opt.step()
    print(loss.item())
