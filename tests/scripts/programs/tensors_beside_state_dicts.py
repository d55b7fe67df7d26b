# also: nnx
"""Tensors in fields that change and are no buffers: state dicts and lists of buffers leave them out, and casts leave them alone."""

import torch
import torch.nn as nn


class Keeping(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.mask = torch.ones(n)
        self.last = None
        self.register_buffer("seen", torch.zeros(()))
        self.weight = nn.Parameter(torch.linspace(0.1, 0.6, n))

    def forward(self, x):
        if self.last is None:
            self.last = x * 2
        self.mask = self.mask * 0.5
        self.seen += 1
        return x * self.weight * self.mask + self.last


model = nn.Sequential(Keeping(3), Keeping(3))
print(sorted(model.state_dict()), [name for name, _ in model.named_buffers()])
model.load_state_dict(
    {f"{i}.{name}": value for i in range(2) for name, value in (("weight", torch.ones(3)), ("seen", torch.tensor(4.0)))}
)
x = torch.linspace(-1, 1, 6).view(2, 3)
print(model(x + 1).sum().item(), model(x + 2).sum().item())
print(sorted(model.state_dict()), model.state_dict()["1.seen"].item(), len(list(model.buffers())))
model.double()
print(model[0].mask.dtype == torch.float32, model[0].seen.dtype == torch.float64)
