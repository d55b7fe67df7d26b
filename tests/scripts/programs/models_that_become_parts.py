# flagged: T2J604 T2J303, also: nnx, linen
"""Models that other models are made of: the same parameters by two names, in the mode that they were in."""

import torch
import torch.nn as nn


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self._fc = nn.Linear(width, width)
        self.norm = nn.BatchNorm1d(width)

    def forward(self, x):
        return torch.tanh(self.norm(self._fc(x)))


class Pair(nn.Module):
    def __init__(self, first, others, scale=2.0):
        super().__init__()
        self.head = nn.Linear(3, 3)
        self.body = first
        self.others = nn.ModuleList(others)
        self.scale = scale
        nn.init.constant_(self.head.bias, 0.1)
        nn.init.constant_(self.body.norm.bias, 0.25)

    def forward(self, x):
        x = self.body(x)
        for other in self.others:
            x = x + other(x)
        return self.head(x) * self.scale


def fill(model):
    with torch.no_grad():
        for i, p in enumerate(model.parameters()):
            p.copy_(torch.linspace(-0.5, 0.6, p.numel()).view(p.shape) + 0.1 * i)
    return model


def make():
    return fill(Block(3))


x = torch.linspace(-1, 1, 12).view(4, 3)
first = fill(Block(3))
second = make()
first.eval()
model = Pair(first, [second, make()])
print([name for name, _ in model.named_parameters()])
print(model.training, first.training, second.training, model.body.training)
with torch.no_grad():
    model.head.weight.copy_(torch.linspace(-1, 1, 9).view(3, 3))
    print(first.norm.bias.sum().item(), model(x).sum().item(), second.norm.running_mean.sum().item())
whole = torch.optim.SGD(model.parameters(), lr=0.05)
model.train()
for step in range(3):
    whole.zero_grad()
    loss = model(x).pow(2).mean()
    loss.backward()
    whole.step()
    print(loss.item(), first(x).sum().item(), model.body.norm.running_var.sum().item())
second.eval()
print(model.training, second.training, model(x).sum().item(), second.norm.running_mean.sum().item())
net = nn.Sequential(first_part := make(), nn.ReLU(), nn.Sequential(make(), nn.Dropout(0.0)))
print(net(x).sum().item(), first_part(x).sum().item(), len(list(net.parameters())))
