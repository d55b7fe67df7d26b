import torch
import triton
import triton.language as tl
from torch import Tensor
from triton import jit


@triton.autotune(configs=[triton.Config({"BLOCK": 64})], key=["n"])
@triton.jit
def double_kernel(x, y, stride, n, BLOCK: tl.constexpr):
    place = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + place * stride, 2 * tl.load(x + place * stride, mask=place < n), mask=place < n)


def double(x: Tensor):
    assert x.stride(-1) == 1
    y = torch.empty_like(x)
    n = x.numel()
    with torch.cuda.device(x.device.index):
        double_kernel[(n,)](x, y, x.stride(0), n)  # T2J209
        double_kernel[lambda options: (options["BLOCK"],)](x, y, x.stride(0), n)
    return y


@jit
def kernel_of_others(x, n):  # T2J209
    tl.store(x + n, 0.0)


def triple(x: Tensor):
    return 3 * torch.relu(x)
