"""Operators of aten are the functions of torch; arrays by dlpack; marks of torch.fx; print options of a profile."""

import torch
import torch.fx
from torch.fx import wrap
from torch.random import thread_safe_generator

x = torch.arange(6.0).reshape(2, 3)
y = torch.utils.dlpack.from_dlpack(torch.utils.dlpack.to_dlpack(x))
print(y.sum().item())
z = torch.from_dlpack(x)
print(z.mean().item())
print(torch.ops.aten.add(x, 1.0).sum().item())
print(torch.ops.aten.sum.dim_IntList(x, [1], True).tolist())
print(torch.ops.aten.mul.Tensor(x, x).sum().item())
print(torch.ops.aten.relu.default(x - 3).sum().item())


@torch.fx.wrap
def helper(a):
    return a + 1


print(helper(x).sum().item())
torch.set_printoptions(profile="full")
torch.set_printoptions(profile="default")
torch.fx.wrap("helper")
wrap("len")
print(thread_safe_generator() is None)
images = torch.arange(24.0).reshape(2, 3, 4)
print(torch.func.rearrange(images, "b (h s) w -> (b w) s h", h=3).sum(0).tolist())
