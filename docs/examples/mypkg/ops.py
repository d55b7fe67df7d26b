"""Functions for which the project has fast kernels."""

import torch
import torch.nn.functional as F


def fused_gelu(x, scale=1.0, *, check=False):
    """`scale` times GELU, in one kernel where there is one."""
    if check:
        assert torch.isfinite(x).all()
    return F.gelu(x) * scale
