# also: nnx, linen
"""Helpers of training steps that decide on one line, and bind the bound of the clipping behind `backward()`."""

import torch
import torch.nn as nn
import torch.nn.functional as F

net = nn.Linear(3, 2)
with torch.no_grad():
    for i, p in enumerate(net.parameters()):
        p.copy_(torch.sin(torch.arange(p.numel()).float() * 1.3 + i).view(p.shape) * 0.5)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)


def scale_of(kind):
    if kind == "large": scale = 2.0
    elif kind == "small": scale = 0.5
    else:
        scale = 1.0
    return scale


def take_step(optimizer, net, x, y, kind="large", clip=None):
    if kind == "large": scale = 2.0
    elif kind == "small": scale = 0.5
    else:
        scale = 1.0
    optimizer.zero_grad()
    loss = F.mse_loss(net(x), y) * scale
    loss.backward()
    if clip is None: bound = 10.0; used = False
    else: bound = clip; used = True
    torch.nn.utils.clip_grad_norm_(net.parameters(), bound)
    optimizer.step()
    print(loss.item(), bound, used)


x, y = torch.sin(torch.arange(12.0)).view(4, 3), torch.cos(torch.arange(8.0)).view(4, 2)
for _ in range(2):
    take_step(optimizer, net, x, y)
    take_step(optimizer, net, x, y, "small", clip=0.5)
    take_step(optimizer, net, x, y, kind="other", clip=None)
print(scale_of("small"))
