import torch
import torch.nn as nn
from util import instantiate


class Ema(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.register_buffer("count", torch.tensor(0))

    def forward(self, x):
        self.count += 1
        return x


class Net(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.model = instantiate(config)
        self.ema = Ema(3)

    def forward(self, x):
        return self.ema(self.model(x))
