# flagged: T2J500
import functools

import torch
import torch.nn as nn
from limits import clip_gradient

clip = functools.partial(clip_gradient, grad_clip=0.1)
model = nn.Linear(2, 1)
nn.init.constant_(model.weight, 0.5)
nn.init.zeros_(model.bias)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(2):
    optimizer.zero_grad()
    loss = model(torch.ones(3, 2)).pow(2).mean()
    loss.backward()
    clip(optimizer)
    optimizer.step()
    print(round(loss.item(), 5))
