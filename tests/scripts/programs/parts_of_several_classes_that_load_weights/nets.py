import torch
from torch import nn


class A(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 2)
        self.bn = nn.BatchNorm1d(2)

    def forward(self, x):
        return torch.sigmoid(self.bn(self.fc(x)))

    def load_param(self, path):
        d = torch.load(path)
        for i in d:
            if "bias" in i:
                continue
            self.state_dict()[i].copy_(d[i])


class B(nn.Module):
    def __init__(self, k=2):
        super().__init__()
        self.fc = nn.Linear(3, 2)
        self.bn = nn.BatchNorm1d(2)

    def forward(self, x):
        return self.bn(self.fc(x))

    def load_param(self, path):
        d = torch.load(path)
        for i in d:
            if "bias" in i:
                continue
            self.state_dict()[i].copy_(d[i])


def make_b(k, **kwargs):
    model = B(k, **kwargs)
    return model
