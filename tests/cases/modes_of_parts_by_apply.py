"""The mode of a model, where a function that is applied to its parts sets those of some."""

import torch.nn as nn


def rest(m):
    if isinstance(m, nn.BatchNorm1d):
        m.eval()


net = nn.Sequential(nn.BatchNorm1d(2), nn.Linear(2, 2), nn.Dropout(0.0))
net.apply(rest)
print(net.training)  # T2J603
