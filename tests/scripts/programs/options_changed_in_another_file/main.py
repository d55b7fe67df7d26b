# also: nnx, linen
"""Options of an optimizer that change while it trains, where its own file does not say so."""

import torch
import torch.nn as nn
from optimizers.later import Later

x = torch.cos(torch.arange(20.0)).view(5, 4)
model = nn.Linear(4, 2)
for p in model.parameters():
    nn.init.constant_(p, 0.3)
optimizer = Later(model.parameters())
for i in range(8):
    if i == 5:
        optimizer.param_groups[0]["weight_decay"] = 0.1
    if i == 3:
        for g in optimizer.param_groups:
            g["momentum"] = 0.9
    optimizer.zero_grad()
    loss = (model(x) ** 2).mean()
    loss.backward()
    optimizer.step()
    print(loss.item())
