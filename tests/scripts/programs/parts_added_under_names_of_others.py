# also: nnx, linen
import torch
from torch import nn


def swap(module):
    for n, ch in module.named_children():
        if type(ch) == nn.MaxPool2d:
            setattr(module, n, nn.AvgPool2d(ch.kernel_size, ch.stride))
        elif isinstance(ch, nn.ReLU):
            module.add_module(n, nn.ELU(0.5))
        else:
            swap(ch)


net = nn.Sequential(nn.Conv2d(1, 1, 1), nn.ReLU(), nn.MaxPool2d(2), nn.Sequential(nn.Conv2d(1, 1, 1), nn.ReLU()))
for p in net.parameters():
    p.data.fill_(-0.5)
x = torch.arange(16.0).reshape(1, 1, 4, 4) - 5
print(net(x).sum().item())
swap(net)
print(net(x).sum().item())
