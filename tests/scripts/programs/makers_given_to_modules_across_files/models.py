from torch import nn


class Identity(nn.Module):
    def forward(self, x):
        return x


class Block(nn.Module):
    def __init__(self, width, norm=nn.BatchNorm1d):
        super().__init__()
        self.model = nn.Sequential(nn.Linear(2, width), norm(width), nn.ReLU(), nn.Linear(width, 1))

    def forward(self, x):
        return self.model(x)
