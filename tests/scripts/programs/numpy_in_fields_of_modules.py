# also: nnx
"""Fields of modules that hold numbers and arrays of NumPy: torch neither trains them nor has them in state dicts."""

import numpy as np
import torch
import torch.nn as nn
from scipy import linalg


def spread(n):
    return np.linspace(0.5, 1.5, n).astype(np.float32)


class Attention(nn.Module):
    def __init__(self, n, offsets=np.ones(3, dtype=np.float32)):
        super().__init__()
        self.scale = np.sqrt(n)
        self.low, self.high = np.log(2.0), 2.0
        self.order = np.array(np.arange(0, n)[::-1])
        self.back = np.argsort(self.order)
        self.spread = spread(n)
        self.steps = [spread(n), np.float32(0.5) * np.ones(n, dtype=np.float32)]
        self.mixing = linalg.toeplitz(np.arange(n)).astype(np.float32)
        self.offsets = offsets
        self.weight = nn.Parameter(torch.linspace(0.1, 0.6, n))

    def forward(self, x):
        x = x[:, self.order] * self.weight / self.scale + self.low
        x = x * torch.from_numpy(self.spread) + torch.tensor(self.offsets)
        for step in self.steps:
            x = x + torch.from_numpy(step)
        return x[:, self.back] @ torch.from_numpy(self.mixing)


model = Attention(3)
print(sorted(model.state_dict()), sum(p.numel() for p in model.parameters()))
model.load_state_dict({"weight": torch.linspace(1.0, 1.5, 3)})
x = torch.linspace(-1, 1, 6).view(2, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for _ in range(3):
    optimizer.zero_grad()
    loss = model(x).pow(2).mean()
    loss.backward()
    optimizer.step()
    print(loss.item())
print(model.scale.item(), model.spread.sum().item(), model.order[0].item(), model.high)
