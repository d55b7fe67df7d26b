from types import SimpleNamespace

import torch

TABLE = {
    "plain": dict(dim=4),
    "scaled": dict(dim=4, scale=torch.tensor([1.0, 2.0])),
    "both": dict(dim=4, scale=0.5, shift=torch.ones(2)),
}


def config_of(name):
    cfg = SimpleNamespace(factor=None)
    if name == "scaled":
        cfg.factor = torch.tensor([1.0, 2.0])
    return cfg
