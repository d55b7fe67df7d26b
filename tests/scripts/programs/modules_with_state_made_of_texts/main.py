# flagged: T2J605
"""A module of a class that only a text names, which may keep state: nothing says that one is made beside it."""

import torch
from util import instantiate


def load(config, path):
    model = instantiate(config)
    model.load_state_dict(torch.load(path), strict=False)
    return model


print(load({"target": "torch.nn.Identity"}, "missing.pt"))
