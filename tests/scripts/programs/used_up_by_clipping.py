# flagged: T2J200
import itertools

import torch
import torch.nn as nn

a, b = nn.Linear(3, 2), nn.Linear(3, 2)
x, y = torch.ones(4, 3), torch.zeros(4, 2)
opt = torch.optim.SGD(list(a.parameters()) + list(b.parameters()), lr=0.1)
params = itertools.chain(a.parameters(), b.parameters())
for _ in range(3):  # the gradients of the first round only are clipped
    opt.zero_grad()
    loss = (a(x) + b(x) - y).pow(2).mean()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(params, 0.1)
    opt.step()
    print(loss.item())
