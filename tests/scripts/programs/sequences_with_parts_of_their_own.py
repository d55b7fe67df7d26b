# flagged: T2J206
import torch
from torch import nn


class Bad(nn.Sequential):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(2, 2)
        self.b = nn.Linear(2, 3)


print(Bad()(torch.ones(1, 2)).shape)
