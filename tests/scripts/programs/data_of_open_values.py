# also: nnx, linen
"""`.data` of what nothing tells the kind of, at the level of the file: of arrays their values, of other objects their field."""

import os
import tempfile
from types import SimpleNamespace

import torch

path = os.path.join(tempfile.mkdtemp(), "values.pt")
torch.save({"logits": torch.linspace(-1, 1, 6).reshape(2, 3)}, path)
entry = torch.load(path)["logits"]
entry = entry.cpu()
print(entry.data[0].numpy().round(3).tolist(), entry.data.max(1, keepdim=True)[1].tolist(), entry.cpu().data.sum().item())

table = SimpleNamespace(data=[[1.0, 2.0], [3.0, 4.0]], target=[0, 1])
rows = table.data
print(rows, table.data[1], torch.tensor(table.data).sum().item())
