# also: nnx
"""What a step with a closure gives back is used in the line of the step, in which LBFGS searches."""

import torch
from torch import nn

x = torch.cos(torch.arange(60, dtype=torch.float32) * 0.3).reshape(20, 3)
y = x.sum(1, keepdim=True) + 0.3


net = nn.Linear(3, 1)
for p in net.parameters():
    nn.init.constant_(p, 0.1)
optimizer = torch.optim.LBFGS(net.parameters(), lr=0.1, max_iter=3)
losses, counts = [], []
total = 0.0


def closure():
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(net(x), y)
    loss.backward()
    counts.append(loss.item())
    return loss


for i in range(3):
    losses.append(optimizer.step(closure).item())
    total += float(optimizer.step(closure))
    print("loss", i, round(optimizer.step(closure).item(), 4))
print([round(item, 4) for item in losses], round(total, 4), len(counts), round(counts[-1], 4))
