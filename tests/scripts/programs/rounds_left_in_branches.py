# also: nnx, linen
"""Branches of training loops that leave the round, beside those that compute what the loss needs."""

import torch
from torch import nn

net = nn.Linear(3, 2)
with torch.no_grad():
    net.weight.fill_(0.5)
    net.bias.fill_(0.1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.linspace(-1, 1, 12).view(4, 3)
for step in range(4):
    if step == 0:
        with torch.no_grad():
            z = net(x + 1)
            continue
    else:
        z = net(x)
    loss = z.pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(loss.item())
for step in range(4):
    if step == 0:
        z = net(x + 1)
        continue
    else:
        z = net(x)
    loss = z.pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(loss.item())
for step in range(6):
    if step == 1:
        print("skipped")
        continue
    elif step == 2:
        z = net(x * 2)
    else:  # as it is
        z = net(x)
    if step > 3 and step != 4:
        target = 1.0
    else:
        break_at = step
        continue
    loss = (z - target).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(step, round(loss.item(), 5), break_at)
