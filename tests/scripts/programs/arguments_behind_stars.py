# also: linen
"""Arguments of torch's functions and layers that stand behind stars."""

import os
import tempfile

import torch
import torch.nn.functional as F
from torch import nn


class Net(nn.Module):
    def __init__(self, width, span=(-1.0, 1.0), device=None, dtype=None):
        super().__init__()
        options = {"device": device, "dtype": dtype}
        self.span = span
        self.scale = nn.Parameter(torch.ones(width, **options))
        self.start = nn.Parameter(torch.full((width,), 0.5, **options))
        self.line = nn.Linear(width, width, bias=False, **options)
        nn.init.constant_(self.line.weight, 0.25)

    def forward(self, x, share=(0.1, 0.5)):
        grid = torch.linspace(*self.span, x.shape[-1], device=x.device)
        other = torch.linspace(*share, x.shape[-1])
        return self.line(x) * self.scale * grid + other + self.start


def save_on_master(*args, **kwargs):
    if int(os.environ.get("RANK", "0")) == 0:
        torch.save(*args, **kwargs)


def read(path, **kwargs):
    return torch.load(path, map_location="cpu", **kwargs)


def moved(x, bounds, **options):
    low = torch.clamp(x, *(0.0, 0.5))
    kind = dict(dim=1, keepdim=True)
    total = x.sum(**kind)
    return low, total, torch.full((2,), **{"fill_value": 3.0}), torch.where(x > bounds[0], x, -x)


torch.manual_seed(0)
net = Net(4)
x = torch.arange(12.0).reshape(3, 4) / 6 - 0.7
y = net(x)
print(y.sum().item(), net(x, [0.2, 0.9]).sum().item())
folder = tempfile.mkdtemp()
path = os.path.join(folder, "net.pt")
save_on_master({"x": x, "epoch": 3}, path)
found = read(path, weights_only=True)
print(found["epoch"], float(found["x"].sum()))
for part in moved(x, (0.2, 1.0)):
    print(part.tolist())
bounds = torch.tensor([-0.5, 0.5])
print(torch.linspace(*bounds, 3).tolist())
padded = (F.one_hot(torch.tensor([0, 2]), *(4,)), F.pad(x, *[(1, 1)]))
print([item.sum().item() for item in padded])
