# flagged: T2J302
"""A layer of another file changes what one of its callers looks at again."""

import torch
from layers import Scale
from wrappers import Residual

print(Scale(4, 0.5)(torch.ones(2, 4) + 1).sum().item())
block = Residual(Scale(4, 0.5, inplace=True))
print(block(torch.ones(2, 4)).sum().item())
