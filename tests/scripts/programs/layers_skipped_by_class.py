# also: nnx, linen
import torch
from torch import nn

NORMS = (nn.BatchNorm1d, nn.BatchNorm2d, nn.LayerNorm, nn.GroupNorm)
net = nn.Sequential(
    nn.Linear(2, 2), nn.BatchNorm1d(2), nn.ReLU(), nn.Sequential(nn.LayerNorm(2), nn.Dropout(0.1), nn.MaxPool1d(1))
)


def count(model, kinds):
    return sum(isinstance(m, kinds) for m in model.modules())


def split(model):
    skipped = (nn.ReLU, nn.MaxPool1d, nn.Dropout, nn.Sequential)
    decay, no = [], []
    for m in model.modules():
        if isinstance(m, NORMS):
            no.append(m)
        elif isinstance(m, skipped):
            continue
        else:
            decay.append(m)
    return len(decay), len(no)


print(split(net))
print(count(net, nn.Linear), count(net, (nn.Linear, nn.LayerNorm)))
