import torch
from torch import nn
from models.Deep import Block


class Model(nn.Module):
    def __init__(self, configs):
        super().__init__()
        self.block = Block(configs.seq_len)
        self.bn = nn.BatchNorm1d(2)
        self.out = nn.Linear(configs.seq_len, configs.pred_len)

    def forward(self, x):
        x = self.bn(x.permute(0, 2, 1))
        return self.out(self.block(x)).permute(0, 2, 1)
