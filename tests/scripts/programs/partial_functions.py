"""Partial functions of torch, options of loaders in a dictionary, handlers of errors, and tests for the version."""

from functools import partial

import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

kwargs = {"num_workers": 0, "pin_memory": False} if torch.cuda.is_available() or True else {}
for (batch,) in DataLoader(TensorDataset(torch.arange(8.0)), batch_size=4, **kwargs):
    print(batch.sum().item())


def positions(x):
    arange = partial(torch.arange, device=x.device)
    return arange(len(x)), arange(1, 4)


print([item.tolist() for item in positions(torch.ones(3))])
rows, low = partial(torch.sum, dim=1), 0.5
clipped = partial(torch.clamp, min=low)
low = 5.0
normalize = partial(F.softmax, dim=-1)
x = torch.tensor([[0.1, 0.9], [0.4, 0.6]])
print(rows(x).tolist(), clipped(x).tolist(), normalize(x).tolist(), list(map(rows, [x, x]))[1].tolist())


def product(a, b):
    try:
        return a @ b
    except RuntimeError:
        return a @ b.t()


def reshaped(a):
    try:
        return a.view(7, -1)
    except (RuntimeError, KeyError) as error:
        return a


print(product(torch.ones(2, 3), torch.ones(4, 3)).tolist(), list(reshaped(x).shape))
if torch.__version__ >= "1.13" and torch.__version__ > (2, 9) and "1.8.0" <= torch.__version__:
    print("new")
major = [int(part) for part in torch.__version__.split(".")[:1]]
print(major, torch.__version__ < "1.4", torch.__version__.startswith("0."))
