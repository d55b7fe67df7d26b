# expect: equal
"""Global numbers and a loop variable that helpers of the step read, and that change between two steps."""

import torch
import torch.nn as nn
import torch.nn.functional as F

RATE = 0.1
scale, offset = 1.0, 2.0


def prepare():
    torch.manual_seed(0)
    return torch.linspace(-1, 1, 12).reshape(4, 3), torch.tensor([0, 1, 1, 0])


def criterion(output, y):
    return F.cross_entropy(output, y) * scale + offset * RATE + epoch * output.pow(2).mean()


x, y = prepare()
model = nn.Linear(3, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=RATE)
for epoch in range(4):
    optimizer.zero_grad()
    loss = criterion(model(x), y)
    loss.backward()
    optimizer.step()
    print(f"{epoch} {loss.item():.5f}")
    scale, offset = scale * 2, offset - 1
