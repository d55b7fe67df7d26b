# also: nnx
"""What is known of no type selects parts of the loss where it does not hold: a step that is not compiled."""

import torch
import torch.nn as nn

net = nn.Linear(3, 2)
with torch.no_grad():
    for i, p in enumerate(net.parameters()):
        p.copy_(torch.sin(torch.arange(p.numel()).float() * 0.9 + i).view_as(p) * 0.5)
x = torch.sin(torch.arange(30.0)).view(2, 5, 3)
pad = torch.tensor([[False] * 5, [False, False, False, True, True]])
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(3):
    out = net(x)
    loss = out[~pad].pow(2).mean() + (out.std(dim=-1) * ~pad).sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(loss.item())
