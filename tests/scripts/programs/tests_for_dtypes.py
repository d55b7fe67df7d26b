# also: nnx
"""Tests for dtypes, 64 bits wide ones too, in every way that people ask."""

import torch

a = torch.arange(3)
d = torch.tensor([0.1], dtype=torch.float64)
f = torch.ones(2)
b = a > 1
print(a.dtype == torch.int64, a.dtype == torch.long, d.dtype == torch.float64, a.dtype != torch.long)
print(
    a.dtype in (torch.int64, torch.uint8),
    f.dtype in [torch.long, torch.int32],
    b.dtype not in (torch.long, torch.float64),
)
print(f.dtype is torch.float32, f.dtype is not torch.float32, torch.float32 == f.dtype, b.dtype is torch.bool)
if a.dtype is torch.long:
    print("long")


def prepare(x):
    if x.dtype != torch.long:
        x = x.long()
    assert x.dtype == torch.int64, "labels are whole numbers"
    return x + 1


def make(dtype=None):
    if dtype is None:
        return torch.zeros(2)
    if dtype == torch.long:
        return torch.ones(2, dtype=dtype)
    if dtype is torch.float32:
        return torch.full((2,), 0.5, dtype=dtype)
    return torch.full((2,), 2.5, dtype=dtype)


print(prepare(a).tolist(), prepare(f).tolist())
for dtype in (None, torch.long, torch.float32, torch.float16, a.dtype, f.dtype):
    print(make(dtype).tolist())
is_wide = a.dtype == torch.long and not f.dtype == torch.long
print(is_wide)
