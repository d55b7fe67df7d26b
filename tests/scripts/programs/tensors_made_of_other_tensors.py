# flagged: T2J303
"""`torch.Tensor(x)` is `x` itself where `x` is a tensor, which may be so here."""

import torch


def marked(options):
    rows = torch.Tensor(options["x"])
    rows[0] = 5
    return rows


options = {"x": torch.zeros(3), "n": 3}
print(marked(options), options["x"])
