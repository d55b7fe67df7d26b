# also: nnx, linen
import torch
import torch.nn as nn


def count_conv(m, x, y):
    return y.numel() * m.in_channels


def count_zero(m, x, y):
    return 0


def count_pool(m, x, y):
    k = 2
    return y.numel() * k * k


HANDLERS = {nn.Conv2d: count_conv, nn.ReLU: count_zero, nn.Dropout: count_zero, nn.MaxPool2d: count_pool}
net = nn.Sequential(nn.Conv2d(1, 2, 3), nn.ReLU(), nn.MaxPool2d(2), nn.Dropout(0.5), nn.Flatten())
net.eval()
x = torch.ones(1, 1, 6, 6)
total = 0
for m in net:
    y = m(x)
    if type(m) in HANDLERS:
        total += HANDLERS[type(m)](m, x, y)
    else:
        print("no rule")
    x = y
print(total, tuple(x.shape))
