# also: nnx, linen
"""Classes of models and of losses that a decorator puts into tables, and one function makes: of these some draw."""

import torch
import models
from registry import LOSSES, MODELS, build

net = build(MODELS, {"type": "small", "width": 4})
with torch.no_grad():
    for i, p in enumerate(net.parameters()):
        p.fill_(0.1 * (i + 1))
loss_of = build(LOSSES, {"type": "weighted", "weight": 2.0})
x = torch.linspace(-1, 1, 12).view(4, 3)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(3):
    loss = loss_of(net(x), x[:, 0])
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(loss.item())
print(sorted(MODELS), sorted(LOSSES), models.Small.__name__)
