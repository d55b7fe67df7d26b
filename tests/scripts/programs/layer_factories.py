# also: nnx
"""Classes and functions of torch as values: factories, tables, names as text, and arguments that are not written out."""

from functools import partial

import torch
import torch.nn as nn
import torch.nn.functional as F

ACT = {"relu": nn.ReLU, "gelu": nn.GELU, "leaky": nn.LeakyReLU, "id": nn.Identity}
FUNCS = {"relu": F.relu, "gelu": F.gelu, "tanh": torch.tanh, "softmax": F.softmax}
DTYPES = {"fp32": torch.float32, "int": torch.int64}


class Mlp(nn.Module):
    def __init__(self, dim, hidden, act_layer=nn.GELU, norm_layer=None, linear=nn.Linear):
        super().__init__()
        self.fc1 = linear(dim, hidden)
        self.act = act_layer()
        self.norm = norm_layer(hidden) if norm_layer is not None else nn.Identity()
        self.fc2 = linear(hidden, dim, bias=False)

    def forward(self, x):
        return self.fc2(self.norm(self.act(self.fc1(x))))


class Block(nn.Module):
    def __init__(self, name, inplanes, planes, conv=nn.Conv2d, norm=nn.BatchNorm2d):
        super().__init__()
        self.conv = conv(inplanes, planes, kernel_size=3, stride=1, padding=1, bias=False)
        self.bn = norm(planes)
        self.act = ACT[name]()
        self.act2 = getattr(nn, "ReLU")(inplace=True)

    def forward(self, x):
        return self.act2(self.act(self.bn(self.conv(x))))


def make(*args, **kwargs):
    return nn.Conv2d(*args, **kwargs)


def apply(name, x):
    return FUNCS[name](x)


m = Mlp(3, 4, norm_layer=partial(nn.LayerNorm, eps=1e-6))
print(list(m(torch.ones(2, 3)).shape))
print(list(Block("gelu", 2, 3)(torch.ones(1, 2, 4, 4)).shape))
print(list(make(2, 3, 3, padding=1, bias=False)(torch.ones(1, 2, 4, 4)).shape))
print(apply("relu", torch.tensor([-1.0, 2.0])).tolist(), apply("tanh", torch.zeros(2)).tolist())
print(torch.zeros(2, dtype=DTYPES["int"]).tolist(), torch.ones(2, dtype=getattr(torch, "float32")).tolist())
print(hasattr(F, "scaled_dot_product_attention"), hasattr(torch, "no_such_thing"), hasattr(torch.backends, "mps"))
conv1 = [nn.Conv1d, nn.Conv2d][1](2, 3, 3, bias=False)
print(list(conv1(torch.ones(1, 2, 4, 4)).shape))
options = {"bias": False}
print(nn.Linear(2, 3, **options).bias is None, list(nn.Linear(*[2, 3], **options)(torch.ones(1, 2)).shape))
