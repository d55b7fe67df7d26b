import torch
from torch import nn


class Model(nn.Module):
    def __init__(self, configs):
        super().__init__()
        self.pred_len = configs.pred_len
        self.scale = nn.Parameter(torch.ones(1))

    def forward(self, x):
        return x.mean(1, keepdim=True).repeat(1, self.pred_len, 1) * self.scale
