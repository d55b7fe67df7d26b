# also: nnx, linen
"""What a method in place gives back is used, where the tensor is one that a module or an object has."""

import torch
from torch import nn


class Counter(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("count", torch.zeros(3))
        self.noise = torch.Tensor(3)
        self.fc = nn.Linear(3, 3)

    def forward(self, x):
        n = self.count.add_(1)
        return self.fc(x) * n

    def sample(self, x):
        noise = self.noise.uniform_(0.25, 0.25)
        noise = noise.clamp(-0.1, 0.1)
        return self.fc(x) + noise


class Total:
    def __init__(self):
        self.total = torch.zeros(3)

    def push(self, x):
        out = self.total.add_(x).clone()
        return out

    def scaled(self, x):
        before = self.total.sum() + self.total.mul_(x).sum()
        return before

    def norm(self):
        return self.total.sub_(1.0).norm()


model = Counter()
with torch.no_grad():
    for i, p in enumerate(model.parameters()):
        p.copy_(torch.sin(torch.arange(p.numel(), dtype=torch.float32).reshape(p.shape) * 0.7 + i))
x = torch.arange(6.0).reshape(2, 3)
print(model(x).sum().item(), model(x).sum().item(), model.count.sum().item())
print((model.sample(x) - model.fc(x)).mean().item())
total = Total()
first = total.push(torch.arange(3.0))
second = total.push(torch.arange(3.0))
print(first.sum().item(), second.sum().item(), total.scaled(2.0).item(), total.norm().item(), total.total.sum().item())
