# also: nnx, linen
"""Classes of tensors that dicts call for what they do not hold yet, as old programs keep track of losses."""

import collections
from collections import defaultdict

import torch

Tensor = torch.cuda.FloatTensor if torch.cuda.is_available() else torch.Tensor


def track(values):
    tracker = defaultdict(Tensor)
    for epoch in range(2):
        for i, value in enumerate(values):
            tracker["loss"] = torch.cat((tracker["loss"], value.view(1)))
            tracker[i] = torch.cat((tracker[i], value.view(-1) * epoch))
    return tracker


tracker = track(torch.arange(3.0))
print(tracker["loss"].tolist(), tracker["loss"].mean().item(), tracker[2].tolist())

ids = collections.defaultdict(torch.LongTensor)
for i in range(3):
    ids["seen"] = torch.cat((ids["seen"], torch.tensor([i])))
print(ids["seen"].tolist(), ids["none"].numel())

plain = defaultdict(torch.Tensor)
plain["a"] = torch.cat([plain["a"], torch.ones(2)])
print(plain["a"].tolist(), len(plain["b"]))

counts = defaultdict(int)
counts["a"] += 1
print(counts["a"], counts["b"])

held = {"p": torch.tensor([]), "t": torch.LongTensor()}
made = defaultdict(lambda: torch.tensor([]))
rows = defaultdict(torch.Tensor)
for i in range(2):
    held["p"] = torch.cat((held["p"], torch.ones(1, 2) * i), dim=0)
    made["p"] = torch.cat((made["p"], torch.ones(1, 2) * i), dim=0)
    rows["p"] = torch.cat((rows["p"], torch.ones(1, 2) * i), dim=0)
    if "names" not in rows:
        rows["names"] = list()
    rows["names"] += [f"row {i}"]
    rows["z"] = torch.cat((rows["z"], torch.ones(1, 3) + i), dim=0)
print(held["p"].tolist(), made["p"].tolist(), rows["p"].tolist(), rows["names"], rows["z"].tolist())
