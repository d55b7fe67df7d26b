# also: nnx
"""Dicts, sets and lists of dtypes that are asked for those of tensors."""

import torch

NAMES = {torch.float32: "f32", torch.float64: "f64", torch.int32: "i32", torch.int64: "i64", torch.bool: "b"}
TOLERANCES = {torch.float64: 1e-9, torch.float32: 1e-4}
BITS = {torch.long: 64, torch.half: 16, torch.complex64: 8, torch.complex128: 16}
FLOATS = {torch.float16, torch.bfloat16, torch.float32}
WHOLE = (torch.int64, torch.uint8)
DEFAULTS = {"model": torch.float32, "labels": torch.int64}


def name(x):
    return NAMES[x.dtype]


def tolerance(x):
    return TOLERANCES.get(x.dtype, 1.0)


def kind(x):
    if x.dtype in FLOATS:
        return "float"
    return "whole" if x.dtype in WHOLE else "other"


def tested(dtype):
    return NAMES[dtype], dtype in FLOATS


x, i = torch.ones(2), torch.arange(3)
print(name(x), tolerance(x), tolerance(i), name(i), name(x > 0))
print(BITS[i.dtype], BITS.get(x.half().dtype), BITS.get(x.dtype), BITS[(x + 1j).dtype])
print(torch.long in BITS, x.dtype in BITS, i.dtype in NAMES, x.dtype not in NAMES)
print({torch.float64: "double", torch.float32: "single"}[x.dtype], {torch.uint8: 1, torch.int64: 2}[i.dtype])
print(kind(x), kind(i), kind(i.byte()), kind(x > 0), kind(x.bfloat16()))
print(tested(torch.float32), tested(torch.int64), tested(i.dtype))
print(x.dtype in {torch.float32, torch.float16}, i.dtype in {torch.int64}, i.dtype not in [torch.long])
for dtype, value in TOLERANCES.items():
    print(torch.ones(2, dtype=dtype).sum().item(), value)
print([torch.zeros(1, dtype=dtype).item() for dtype in DEFAULTS.values()], len(FLOATS), len(NAMES))
