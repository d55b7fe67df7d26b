# also: nnx
"""Models that a function makes, freezes and gives back: who trains them does not see it."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.body = nn.Linear(d, d)
        self.head = nn.Linear(d, 2)

    def forward(self, x):
        return self.head(self.body(x).tanh())


def fill(model):
    with torch.no_grad():
        for p in model.parameters():
            p.copy_(torch.linspace(-1, 1, p.numel()).view_as(p) * 0.5)


def fine_tune(model, steps):
    x = torch.linspace(-1, 1, 12).view(3, 4)
    y = torch.tensor([0, 1, 0])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    for step in range(steps):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        print(step, f"{loss.item():.4f}")


def prepared():
    model = Net(4)
    fill(model)
    for param in model.parameters():
        param.requires_grad = False
    return model


whole = prepared()
whole.head = nn.Linear(4, 2)
fill(whole)
fine_tune(whole, 3)
print(whole.body.weight.abs().sum().item())
