import torch.nn as nn


class Small(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.fc = nn.Linear(n, 1)

    def forward(self, x):
        return self.fc(x)


class Big(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.fc = nn.Sequential(nn.Linear(n, n), nn.Tanh(), nn.Linear(n, 1))

    def forward(self, x):
        return self.fc(x)
