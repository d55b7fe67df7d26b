import torch.nn as nn


class Model(nn.Module):
    def __init__(self, configs):
        super().__init__()
        self.norm = nn.BatchNorm1d(configs.seq_len)
        self.drop = nn.Dropout(configs.dropout)
        self.head = nn.Linear(configs.seq_len, configs.pred_len)
        nn.init.constant_(self.head.weight, 0.1)
        nn.init.constant_(self.head.bias, 0.1)

    def forward(self, x):
        return self.head(self.drop(self.norm(x)))
