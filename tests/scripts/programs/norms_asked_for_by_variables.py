# also: nnx, linen
import torch
from torch import nn

NORMS = (nn.BatchNorm2d, nn.ReLU)
net = nn.Sequential(nn.Linear(2, 2), nn.BatchNorm1d(2), nn.ReLU(), nn.Sequential(nn.BatchNorm2d(2)))
print(sum(isinstance(m, NORMS) for m in net.modules()))
for m in net.modules():
    if isinstance(m, NORMS):
        print(1)
