# flagged: T2J303
import torch
import torch.nn as nn


class Normalized(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.BatchNorm1d(4)

    def forward(self, x):
        return self.norm(x)


models = [Normalized(), Normalized()]


def choose(index):
    return models[index]


net = choose(1)
print(net(torch.ones(2, 4)).sum())
