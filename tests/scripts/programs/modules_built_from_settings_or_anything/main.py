# flagged: T2J609
"""A class that a registry holds, or that settings name themselves."""

import torch
from registry import MODELS, build
from models import Wide

for kind in ("Small", Wide):
    net = build({"type": kind, "width": 3}, MODELS)
    with torch.no_grad():
        for i, p in enumerate(net.parameters()):
            p.fill_(0.1 * (i + 1))
    print(net(torch.ones(2, 3)).sum().item())
