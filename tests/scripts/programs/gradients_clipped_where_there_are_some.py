# also: nnx
"""Gradients are clipped of those parameters that have one, or that are trained."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(4, 6)
        self.unused = nn.Linear(2, 2)
        self.head = nn.Linear(6, 3)

    def forward(self, x):
        return self.head(torch.tanh(self.first(x)))


model = Net()
with torch.no_grad():
    for i, p in enumerate(model.parameters()):
        p.copy_(torch.cos(torch.arange(p.numel()).float() * 0.7 + i).reshape(p.shape))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(4):
    x = torch.sin(torch.arange(20.0) * 0.37 + step).reshape(5, 4)
    y = torch.cos(torch.arange(15.0) * 0.21 + step).reshape(5, 3)
    optimizer.zero_grad()
    parts = []
    for i in range(2):
        parts.append(F.mse_loss(model(x * (i + 1)), y))
    loss = sum(parts) / len(parts)
    loss.backward()
    norm = nn.utils.clip_grad_norm_([p for p in model.parameters() if p.grad is not None], 0.3)
    optimizer.step()
    optimizer.zero_grad()
    F.mse_loss(model(x), y).backward()
    nn.utils.clip_grad_norm_(filter(lambda p: p.requires_grad and p.grad is not None, model.parameters()), 0.2)
    optimizer.step()
    print(round(loss.item(), 5), round(norm.item(), 5))
print([round(p.abs().sum().item(), 4) for p in model.parameters()])
