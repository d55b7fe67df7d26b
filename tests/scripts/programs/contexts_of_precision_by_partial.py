# also: nnx, linen
"""Contexts of mixed precision that are off, or for other devices, in variables that are entered later."""

from contextlib import nullcontext
from functools import partial
import torch
from torch import nn
from torch.amp import autocast

class Q(nn.Module):
    def __init__(self, force=True):
        super().__init__()
        self.force = force
        self.fc = nn.Linear(4, 3)
    def forward(self, x):
        context = partial(autocast, "cuda", enabled=False) if self.force else nullcontext
        with context():
            if self.force:
                x = x.float()
            x = self.fc(x)
        return x

net = Q()
with torch.no_grad():
    for i, p in enumerate(net.parameters()):
        p.copy_(torch.sin(torch.arange(p.numel()).float() * 1.3 + i).view(p.shape))
x = torch.sin(torch.arange(8.0)).view(2, 4).requires_grad_()
y = net(x).pow(2).sum()
y.backward()
print(y.item(), x.grad.sum().item())


def scaled(x, exact):
    if exact:
        context = partial(torch.autocast, device_type="cuda", dtype=torch.float16)
    else:
        context = nullcontext
    with context():
        return x * 2


print(scaled(torch.ones(2), True).sum().item(), scaled(torch.ones(2), False).sum().item())
