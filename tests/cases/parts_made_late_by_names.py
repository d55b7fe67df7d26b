"""Parts that a method sets by computed names, when data is there: they are parts of this module, under such names, and of no other."""

import torch
from torch import nn


class Blur(nn.Module):
    def forward(self, x):
        return x * 0.5


class Holder(nn.Module):
    def __init__(self):
        super().__init__()
        self.blur = Blur()
        self.second = Blur()

    def forward(self, x):
        return self.second(self.blur(x))


class Sampler(nn.Module):
    def __init__(self):
        super().__init__()
        self.is_made = False
        self.first = Blur()
        self.last = Blur()

    def create(self, feats):
        for i, feat in enumerate(feats):
            mlp = nn.Sequential(nn.Linear(feat.shape[1], 4), nn.ReLU(), nn.Linear(4, 2))
            setattr(self, "mlp_%d" % i, mlp)  # T2J601
        self.is_made = True

    def forward(self, feats):
        if not self.is_made:
            self.create(feats)
        return [self.last(getattr(self, "mlp_%d" % i)(feat)) for i, feat in enumerate(feats)]


print(Holder()(torch.ones(2, 3)))
print(Sampler()([torch.ones(2, 3)]))
