"""Trees of tensors as torch goes through them."""

from collections import OrderedDict, namedtuple

import numpy as np
import torch
from torch.utils._pytree import tree_flatten, tree_leaves, tree_map, tree_map_only, tree_unflatten
from torch.utils.data import default_convert

Point = namedtuple("Point", "x y")
batch = {"z": torch.arange(3.0), "a": [torch.ones(2), None, 4], "p": Point(torch.zeros(1), (2.5, "word"))}
leaves, spec = tree_flatten(batch)
print(len(leaves), spec.num_leaves, [type(leaf).__name__ for leaf in leaves if not isinstance(leaf, torch.Tensor)])
again = tree_unflatten(leaves, spec)
print(list(again), type(again["p"]).__name__, again["p"].y[1], again["z"].sum().item())
doubled = tree_map(lambda t: t * 2, OrderedDict(b=torch.ones(3), a=(torch.arange(2.0), 3)))
print(list(doubled), doubled["b"].sum().item(), doubled["a"][0].sum().item(), doubled["a"][1])
summed = tree_map(lambda a, b: a + b, {"k": [torch.ones(2), 1]}, {"k": [torch.arange(2.0), 5]})
print(summed["k"][0].tolist(), summed["k"][1])
halved = tree_map_only(torch.Tensor, lambda t: t / 2, batch)
print(halved["z"].tolist(), halved["a"][2], halved["p"].x.item())
print([leaf if leaf is None else float(leaf) for leaf in tree_leaves([1, (2, None)])])
rows = default_convert({"x": np.arange(4), "names": ["a", "b"], "pair": (np.ones(2, np.float32), 3)})
print(rows["x"].sum().item(), rows["names"], rows["pair"][0].mean().item(), rows["pair"][1])
print(
    torch.can_cast(torch.float, torch.int),
    torch.can_cast(torch.int, torch.double),
    torch.can_cast(torch.int64, torch.bool),
)
