"""One of the functions makes a model with state, and gives it in another way than the others."""

import others
import torch

for name in ("small", "plain", "normed"):
    model = getattr(others, name)(width=3)
    print(model(torch.ones(2, 3)).shape[1])
