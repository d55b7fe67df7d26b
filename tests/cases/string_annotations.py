from __future__ import annotations

import torch
from typing import Optional, Union


def f(x: "torch.Tensor", y: Optional["torch.Tensor"] = None) -> "torch.Tensor":
    z: "torch.Tensor" = torch.sin(x)
    return z


def g(x: torch.Tensor | None, n: int = 3) -> Union[torch.Tensor, int]:
    return n if x is None else torch.sum(x)
