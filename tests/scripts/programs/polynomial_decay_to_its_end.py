# also: nnx linen
"""The rate of segmentation programs, a power of what is left of the steps, goes on at 0 behind its last step."""

import torch
import torch.nn as nn

net = nn.Linear(2, 1)
nn.init.constant_(net.weight, 0.5)
nn.init.zeros_(net.bias)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
scheduler = torch.optim.lr_scheduler.PolynomialLR(optimizer, total_iters=7, power=0.9)
x = torch.tensor([[1.0, 2.0], [3.0, -1.0]])
for step in range(10):
    loss = (net(x) - 1).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    scheduler.step()
    print(step, round(loss.item(), 5), round(scheduler.get_last_lr()[0], 6))
