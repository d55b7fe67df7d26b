"""A class that is mixed in calls the forward of whatever stands behind it: of a layer behind it, or what nothing in it names."""

import torch
import torch.nn as nn


class Bottle(nn.Module):
    def forward(self, input):
        if len(input.size()) <= 2:
            return super(Bottle, self).forward(input)
        size = input.size()[:2]
        out = super(Bottle, self).forward(input.view(size[0] * size[1], -1))
        return out.view(size[0], size[1], -1)


class Linear(Bottle, nn.Linear):
    pass


class Scaled(nn.Linear):
    def forward(self, x):
        return super(Scaled, self).forward(x) * 2


class Doubling(nn.Module):
    def forward(self, x):
        return super().forward(2 * x)  # T2J603


class Base(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)

    def forward(self, x):
        return self.fc(x)


class Twice(Doubling, Base):
    pass
