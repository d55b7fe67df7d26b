# also: nnx, linen
import torch
import torch.nn as nn


def count_pool(m, n):
    k = m.kernel_size
    return n * k * k


net = nn.Sequential(nn.Conv2d(1, 2, 3), nn.ReLU(), nn.MaxPool2d(2), nn.Dropout(0.5), nn.Flatten())
total = 0
for m in net.modules():
    if isinstance(m, nn.MaxPool2d):
        total += count_pool(m, 3) + (m.stride if isinstance(m.stride, int) else m.stride[0])
    elif isinstance(m, nn.Conv2d):
        total += m.kernel_size[0] * m.out_channels
    elif isinstance(m, nn.Flatten):
        total += m.start_dim
print(total)
