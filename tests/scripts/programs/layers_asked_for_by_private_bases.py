# also: nnx, linen
import torch
from torch import nn
from torch.nn.modules.pooling import _AvgPoolNd, _MaxPoolNd

net = nn.Sequential(nn.Conv2d(1, 2, 1), nn.ReLU(), nn.MaxPool2d(2), nn.AvgPool2d(2), nn.AdaptiveAvgPool2d(1))
for m in net.modules():
    if isinstance(m, (_MaxPoolNd, _AvgPoolNd)):
        print(m.kernel_size)
    elif isinstance(m, nn.modules.pooling._AdaptiveAvgPoolNd):
        print(m.output_size)
