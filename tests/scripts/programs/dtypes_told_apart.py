# also: nnx
# Tests of dtypes that are one dtype without 64 bits: those of tensors whose dtype is known are decided.
import numpy as np
import torch

a = torch.tensor([1, 2, 3])
b = a.int()
c = torch.tensor([0.5, 1.5])
d = c.double()
print(
    a.dtype == torch.int32,
    a.dtype == torch.int64,
    b.dtype == torch.int32,
    b.dtype == torch.int64,
    b.dtype != torch.long,
)
print(
    c.dtype == torch.float64,
    d.dtype == torch.float32,
    d.dtype is torch.float64,
    c.dtype in (torch.float32, torch.float16),
)
print(
    isinstance(a, torch.IntTensor),
    isinstance(a, torch.LongTensor),
    isinstance(b, torch.IntTensor),
    isinstance(b, torch.LongTensor),
)
print(
    a.dtype in (torch.int32, torch.int64),
    a.dtype in (torch.int32, torch.uint8),
    b.dtype not in [torch.int64, torch.int16],
)
print(isinstance(d, (torch.FloatTensor, torch.HalfTensor)), isinstance(c, (torch.FloatTensor, torch.DoubleTensor)))


def half(t: torch.Tensor):
    assert t.dtype == torch.int64
    if t.dtype not in (torch.int32, torch.int64):
        return t / 2
    return t // 2 if t.dtype == torch.long else t


print(half(a).tolist())
