# flagged: T2J609
"""One of the functions is called in another way than the others."""

import others
import torch

for name in ("small", "plain"):
    print(getattr(others, name)(width=3)(torch.ones(1, 3)).shape)
