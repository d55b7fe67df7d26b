# flagged: T2J608
import torch
from layers import Net
from torch import nn


def reset(module):
    if isinstance(module, nn.Linear):
        nn.init.constant_(module.weight, 0.1)
        nn.init.zeros_(module.bias)


net = Net()
net.apply(reset)
print(net(torch.ones(2, 3)).tolist())
