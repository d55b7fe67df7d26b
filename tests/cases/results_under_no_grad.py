"""Methods under `no_grad` that differentiated code calls: what they give may be a view of an argument, or is kept elsewhere."""

import torch
import torch.nn as nn

LOG = []


class Parts(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)
        self.bn = nn.BatchNorm1d(3)
        self.drop = nn.Dropout(0.5)

    @torch.no_grad()
    def view(self, x):  # T2J201
        return x.view(x.shape[0], -1)

    @torch.no_grad()
    def flat(self, x):  # T2J201
        y = x.flatten(1)
        return y

    @torch.no_grad()
    def part(self, x):  # T2J201
        return self.fc.weight[:2]

    @torch.no_grad()
    def stores(self, x):  # T2J201
        h = self.fc(x)
        LOG.append(h)
        return helper(h)

    @torch.no_grad()
    def normed(self, x):
        return helper(self.bn(x))

    @torch.no_grad()
    def dropped(self, x):  # T2J201
        return helper(self.drop(x))

    @torch.no_grad()
    def passed(self, *xs, **kw):
        return helper(*xs)

    def forward(self, x):
        x = self.fc(x)
        return (
            self.view(x)
            + self.flat(x)
            + self.part(x).sum()
            + self.stores(x)
            + self.normed(x)
            + self.dropped(x)
            + self.passed(x)
        )


def helper(x):
    if x.sum() > 1000:
        return x
    return scaled(x)


def scaled(x):
    return x if x.ndim > 5 else x * 1.5
