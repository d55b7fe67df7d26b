# also: nnx, linen
"""Fields whose annotations say that they may be tensors: buffers, parameters that are None at first, and what is kept."""

from typing import Optional

import torch
from torch import Tensor, nn


class Encoded(nn.Module):
    pe: Tensor
    wide: torch.Tensor

    def __init__(self) -> None:
        super().__init__()
        self.head = nn.Linear(4, 2)
        self.register_buffer("pe", torch.ones(4))
        self.register_buffer("wide", torch.ones(4), persistent=False)

    def forward(self, x: Tensor) -> Tensor:
        return self.head(x + self.pe + self.wide)


class Scaled(nn.Module):
    mask: Optional[Tensor]

    def __init__(self, size: Optional[int] = None) -> None:
        super().__init__()
        self.head = nn.Linear(4, 2)
        self.mask: Optional[Tensor] = None
        self.scale: Optional[Tensor] = None
        self.shift: Optional[nn.Parameter] = None
        self.cache: Optional[Tensor] = None
        if size is not None:
            self.mask = torch.ones(size)
            self.scale = nn.Parameter(torch.ones(size))
        if size == 4:
            self.shift = nn.Parameter(torch.zeros(size))

    def forward(self, x: Tensor) -> Tensor:
        if self.mask is not None:
            x = x * self.mask
        if self.scale is not None and self.shift is not None:
            x = x * self.scale + self.shift
        self.cache = x
        return self.head(x)


def train(net: nn.Module) -> None:
    with torch.no_grad():
        for p in net.parameters():
            p.copy_(torch.linspace(-0.5, 0.6, p.numel()).view(p.shape))
    print([name for name, _ in net.named_parameters()], list(net.state_dict()))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    x, y = torch.linspace(-1, 1, 12).view(3, 4), torch.linspace(0, 1, 6).view(3, 2)
    for _ in range(3):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(net(x), y)
        loss.backward()
        optimizer.step()
        print(loss.item())


encoded = Encoded()
train(encoded)
print(encoded.pe.sum().item(), encoded.wide.sum().item())
scaled = Scaled(4)
train(scaled)
print(scaled.mask.sum().item(), scaled.cache.sum().item())
train(Scaled())
