# also: nnx
"""A model that is asked for by its name in the file itself, and is made where the support code has to stand before."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class Net(nn.Module):
    def __init__(self, width=4):
        super().__init__()
        self.first = nn.Linear(4, width)
        self.last = nn.Linear(width, 3)

    def forward(self, x):
        return self.last(F.relu(self.first(x)))


def small(pretrained=False, **kwargs):
    return Net(**kwargs)


def wide(pretrained=False, **kwargs):
    return Net(width=8, **kwargs)


names = sorted(name for name in globals() if name.islower() and not name.startswith("_") and callable(globals()[name]))
print(names)
model = globals()["wide"](pretrained=True)
with torch.no_grad():
    for i, p in enumerate(model.parameters()):
        p.copy_((torch.arange(p.numel(), dtype=torch.float32).reshape(p.shape) * 0.37 + i).sin() * 0.3)
print(model(torch.arange(8.0).view(2, 4)).tolist())
