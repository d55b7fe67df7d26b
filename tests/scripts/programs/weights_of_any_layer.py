# also: nnx, linen
"""Weights and biases of layers of which nothing tells the class are asked for, listed, counted, filled and penalized."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(3, 4, bias=False), nn.LayerNorm(4), nn.Tanh())
        self.head = nn.Linear(4, 2)
        self.scale = nn.Parameter(torch.ones(1))

    def forward(self, x):
        return self.head(self.body(x)) * self.scale


def fill(m):
    if hasattr(m, "weight") and m.weight is not None:
        m.weight.data.fill_(0.3 + 0.1 * m.weight.dim())
    if isinstance(getattr(m, "bias", None), nn.Parameter):
        nn.init.constant_(m.bias, 0.1)


def groups(model):
    decayed, others = [], []
    for m in model.modules():
        if hasattr(m, "weight") and isinstance(m.weight, nn.Parameter):
            if m.weight.dim() > 1:
                decayed.append(m.weight)
            else:
                others += [m.weight]
        if hasattr(m, "bias") and m.bias is not None:
            others.append(m.bias)
    return decayed, [*others, model.scale]


def penalty(model):
    total = 0.0
    for name, m in model.named_modules():
        if hasattr(m, "weight") and not isinstance(m, nn.LayerNorm):
            w = m.weight
            total = total + torch.norm(w) + w.pow(2).sum()
    return total


def sizes(model):
    found = []
    for m in model.children():
        if hasattr(m, "weight"):
            found.append((tuple(m.weight.shape), torch.is_tensor(m.weight), m.weight.numel(), m.weight.sum().item()))
    return found


def masks(model):
    return {name: torch.abs(m.weight) > 0.6 for name, m in model.named_modules() if hasattr(m, "weight")}


model = Net()
model.apply(fill)
print([round(p.sum().item(), 4) for p in model.parameters()])
decayed, others = groups(model)
print(len(decayed), len(others), sizes(model), [(name, int(mask.sum())) for name, mask in masks(model).items()])
optimizer = torch.optim.SGD([{"params": decayed, "weight_decay": 0.1}, {"params": others}], lr=0.1, momentum=0.9)
x = torch.linspace(-1, 1, 12).view(4, 3)
for step in range(3):
    optimizer.zero_grad()
    loss = model(x).pow(2).mean() + 0.01 * penalty(model)
    loss.backward()
    optimizer.step()
    print(f"{loss.item():.5f}")
print([round(p.sum().item(), 4) for p in model.parameters()])
