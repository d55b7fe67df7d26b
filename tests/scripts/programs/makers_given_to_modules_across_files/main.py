# also: nnx, linen
"""A module calls, to make its parts, what another file has given it: partial layers, and functions that make modules."""

import torch
from makers import build

x = torch.linspace(-1, 1, 8).reshape(4, 2)
for kind in ("layer", "none"):
    net = build(kind)
    out = net(x)
    print(kind, len(list(net.parameters())), [round(v, 4) for v in out.flatten().tolist()])
