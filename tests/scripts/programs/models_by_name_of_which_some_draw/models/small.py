import torch.nn as nn


class Small(nn.Module):
    def __init__(self, n, classes=2):
        super().__init__()
        self.fc = nn.Linear(n, classes)

    def forward(self, x):
        return self.fc(x)


def small(classes=2):
    return Small(3, classes)


def tiny(classes=2, **kwargs):
    return Small(3, classes, **kwargs)
