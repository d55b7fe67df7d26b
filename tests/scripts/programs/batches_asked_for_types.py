# also: nnx
"""Batches of a loader are tensors of torch's types, and tests for classes of tensors tell types apart."""

import torch
import torch.nn as nn
from torch.utils.data import Dataset, DataLoader, TensorDataset


class Data(Dataset):
    def __init__(self, n):
        self.x = torch.cos(torch.arange(n * 3.0)).reshape(n, 3)
        self.y = torch.arange(n) % 2

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        return {"x": self.x[i], "y": self.y[i], "id": i, "name": f"s{i}"}


def to_device(batch, device):
    if isinstance(batch, torch.Tensor):
        return batch.to(device) * 2
    if isinstance(batch, dict):
        return {k: to_device(v, device) for k, v in batch.items()}
    if isinstance(batch, (list, tuple)):
        return type(batch)(to_device(v, device) for v in batch)
    return batch


loader = DataLoader(Data(6), batch_size=3)
for batch in loader:
    print(batch["y"].dtype == torch.int64, batch["x"].dtype == torch.float32, batch["id"].dtype == torch.int64)
    print(isinstance(batch["x"], torch.Tensor), torch.is_tensor(batch["y"]), torch.is_tensor(batch["name"]))
    print(batch["x"].is_floating_point(), batch["y"].is_floating_point())
    tensors = {k: v for k, v in batch.items() if isinstance(v, torch.Tensor)}
    print(sorted(tensors))
    tensors = {k: v for k, v in batch.items() if torch.is_tensor(v)}
    print(sorted(tensors))
    moved = to_device(batch, "cpu")
    print(moved["name"], moved["x"].sum().item())
    ints = [k for k, v in batch.items() if torch.is_tensor(v) and v.dtype in (torch.int64, torch.long)]
    print(ints)
    floats = [k for k, v in batch.items() if isinstance(v, torch.Tensor) and v.dtype == torch.float]
    print(floats)

for x, y in DataLoader(TensorDataset(torch.ones(4, 2), torch.arange(4)), batch_size=2):
    print(x.dtype == torch.float32, y.dtype is torch.int64, y.dtype == torch.long, isinstance(x, torch.Tensor))
    if y.dtype != torch.float32:
        y = y.float()
    print(y.mean().item())
    assert x.dtype == torch.float32
    print(type(x) is torch.Tensor)
batch = next(iter(loader))
print(batch["y"].dtype == torch.int64, type(batch["y"]) == torch.Tensor)

x, y = torch.ones(3), torch.arange(3)
for t in (x, y, 3.0, "a", [1], y.bool()):
    print(isinstance(t, torch.FloatTensor), isinstance(t, (torch.LongTensor, torch.cuda.LongTensor)))
    print(isinstance(t, (torch.FloatTensor, torch.LongTensor)), type(t) is torch.Tensor, type(t) != torch.Tensor)
    print(type(t) in (torch.Tensor, list), type(t) not in [torch.Tensor], issubclass(type(t), torch.Tensor))
    if type(t) is not torch.Tensor:
        print("other")
    elif isinstance(t, torch.LongTensor) or t.sum() > 2:
        print("here")
