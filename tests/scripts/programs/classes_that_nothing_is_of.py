# also: nnx, linen
"""Questions whether something is of a class of torch that nothing in the translation is of."""

import torch
import torch.fx
from torch.distributed.tensor import DTensor
from torch.nn.parameter import UninitializedParameter


def whole(x):
    if isinstance(x, DTensor):
        x = x.full_tensor()
    return x


def kind(x, flag):
    if isinstance(x, UninitializedParameter) and flag:
        return "not made"
    elif isinstance(x, (torch.fx.Proxy, torch.fx.Node)):
        return "traced"
    elif isinstance(x, (torch.Tensor, DTensor)):
        return "tensor"
    elif not isinstance(x, torch.SymInt):
        return "other"
    else:
        return "symbol"


def size(x):
    if isinstance(x, DTensor):
        return x.to_local().numel()
    else:
        count = x.numel()
    return count


def total(xs):
    result = 0.0
    for x in xs:
        if isinstance(x, DTensor) or x.dim() == 0:
            continue
        result += x.full_tensor().sum().item() if isinstance(x, DTensor) else x.sum().item()
    return result


x = torch.arange(6.0)
print(whole(x).sum().item(), kind(x, True), kind(3, False), size(x), total([x, torch.tensor(4.0), x * 2]))
print([isinstance(item, DTensor) for item in (x, 3)], not isinstance(x, torch.fx.GraphModule))
