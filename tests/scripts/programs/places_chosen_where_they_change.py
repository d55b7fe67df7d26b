"""What is changed in place is one of two tensors or parameters: the choice stands in the call that changes it."""

# also: nnx, linen

import torch
import torch.nn as nn


class Layer(nn.Module):
    def __init__(self, kind, width):
        super().__init__()
        if kind == "whole":
            self.proj = nn.Parameter(torch.zeros(width, width))
        else:
            self.linear = nn.Linear(width, width, bias=False)
        self.kind = kind
        self.bias = nn.Parameter(torch.ones(width))
        self.reset(kind)

    def reset(self, kind):
        nn.init.constant_(self.proj if kind == "whole" else self.linear.weight, 0.5)
        nn.init.zeros_(self.bias)

    def forward(self, x):
        return x @ (self.proj if self.kind == "whole" else self.linear.weight.t()) + self.bias


def changed(a, b, first):
    a, b = a * 1, b * 1
    view = a
    (a if first else b).add_(1).mul_(2)
    torch.nn.init.constant_((b if first else a), 3.0)
    return a, b, view


for kind in ("whole", "parts"):
    model = Layer(kind, 2)
    out = model(torch.tensor([[1.0, 2.0]]))
    out.sum().backward()
    print(out.tolist(), [parameter.grad.tolist() for parameter in model.parameters()])
for first in (True, False):
    print([item.tolist() for item in changed(torch.zeros(2), torch.ones(2), first)])
