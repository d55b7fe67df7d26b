# parts of one model of which two have the same layer
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(nn.Linear(4, 4), nn.Tanh(), nn.Linear(4, 4), nn.Tanh(), nn.Linear(4, 2))

    def forward(self, x):
        return self.features(x)


class Over(nn.Module):
    def __init__(self):
        super().__init__()
        features = Net().features
        self.one = nn.Sequential(*list(features)[:3])
        self.two = nn.Sequential(*list(features)[2:])  # T2J604

    def forward(self, x):
        return self.two(self.one(x))


class Children(nn.Module):
    def __init__(self):
        super().__init__()
        features = Net().features
        self.one = nn.Sequential(*list(features.children())[:3])
        self.two = nn.Sequential(*list(features.children())[2:])  # T2J604

    def forward(self, x):
        return self.two(self.one(x))
