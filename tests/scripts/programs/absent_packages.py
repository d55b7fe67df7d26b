# also: nnx, linen
"""Packages that stand on torch and are asked for with care: the program does what it does without them."""

import os
import warnings

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.distributed.tensor import DTensor

ENABLED = os.environ.get("FASTER_DISABLED") is None
try:
    if ENABLED:
        from xformers.ops import SwiGLU, memory_efficient_attention

        AVAILABLE = True
        warnings.warn("xFormers is available", stacklevel=1)
    else:
        raise ImportError
except ImportError:
    AVAILABLE = False

HAS_FLASH = False
try:
    import math

    from flash_attn import flash_attn_func
    from flash_attn.bert_padding import pad_input

    HAS_FLASH = True
except Exception as error:
    print("no flash attention:", type(error).__name__ in ("ImportError", "ModuleNotFoundError"))

try:
    from apex.normalization import FusedLayerNorm as Norm
except ImportError:
    Norm = nn.LayerNorm

try:
    import selective_scan_cuda  # a library of the program's own, which is nowhere
    from causal_conv1d import causal_conv1d_fn
except (ImportError, RuntimeError):
    selective_scan_cuda = causal_conv1d_fn = None


class Attention(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.norm = Norm(dim)
        self.qkv = nn.Linear(dim, 3 * dim)
        self.mix = nn.Linear(dim, dim) if causal_conv1d_fn is None else None

    def forward(self, x, mask=None):
        q, k, v = self.qkv(self.norm(x)).chunk(3, -1)
        if not AVAILABLE:
            if mask is not None:
                raise AssertionError("xFormers is needed for masks")
            x = F.softmax(q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1]), -1) @ v
        else:
            x = memory_efficient_attention(q, k, v, attn_bias=mask)
        if x.is_cuda and HAS_FLASH:
            x = flash_attn_func(x, x, x)
        elif AVAILABLE:
            x = SwiGLU(x)
        return self.mix(x) if not HAS_FLASH else pad_input(x)


class Masked(Attention):
    def forward(self, x, mask=None):
        if not AVAILABLE:
            if mask is not None:
                raise AssertionError("xFormers is needed for masks")
            return super().forward(x)
        q, k, v = self.qkv(x).chunk(3, -1)
        if HAS_FLASH:
            return flash_attn_func(q, k, v)
        return memory_efficient_attention(q, k, v, attn_bias=mask)


def load_fused():
    try:
        from apex.optimizers import FusedAdam

        return FusedAdam
    except ImportError:
        return None


net = Masked(4)
for number, parameter in enumerate(net.parameters()):
    nn.init.constant_(parameter, 0.1 * (number + 1))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.cos(torch.arange(24.0)).reshape(2, 3, 4)
for step in range(2):
    loss = net(x).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(round(loss.item(), 5))
print(AVAILABLE, HAS_FLASH, load_fused())
if AVAILABLE:
    print("faster")
else:
    print("slow")
if net(x).sum() > 0:
    if HAS_FLASH and AVAILABLE:
        print("faster")
    elif not HAS_FLASH:
        print("slow")
if isinstance(x, DTensor):
    print("sharded")
