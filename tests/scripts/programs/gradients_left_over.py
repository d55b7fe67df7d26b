# flagged: T2J500 T2J506
"""Gradients that no line empties: of parameters that no optimizer has, and zeros that stay where there was a gradient."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(3, 4)
        self.head = nn.Linear(4, 2)

    def forward(self, x):
        return self.head(torch.tanh(self.body(x)))


class Either(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(3, 2)
        self.b = nn.Linear(3, 2)

    def forward(self, x, which):
        if which == 0:
            return self.a(x)
        return self.b(x)


x = torch.linspace(-1, 1, 12).reshape(4, 3)
y = torch.tensor([0, 1, 1, 0])
model = Net()
optimizer = torch.optim.SGD(model.head.parameters(), lr=0.1)
for _ in range(3):
    optimizer.zero_grad()
    loss = F.cross_entropy(model(x), y)
    loss.backward()
    print(torch.nn.utils.clip_grad_norm_(model.parameters(), 0.1).item())
    optimizer.step()
either = Either()
other = torch.optim.SGD(either.parameters(), lr=0.1, momentum=0.9)
for i in range(3):
    other.zero_grad(set_to_none=False)
    loss = F.cross_entropy(either(x, i % 2), y)
    loss.backward()
    other.step()
