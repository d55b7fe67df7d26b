import torch.nn as nn


class get_model(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.fc = nn.Linear(3, n)
        self.bn = nn.BatchNorm1d(n)

    def forward(self, x):
        return self.bn(self.fc(x)), x


class get_loss(nn.Module):
    def forward(self, p, y, extra):
        return nn.functional.cross_entropy(p, y)
