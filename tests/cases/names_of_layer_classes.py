import torch
from torch import nn

net = nn.Sequential(nn.BatchNorm1d(2), nn.CircularPad1d(1), nn.Tanh(), nn.BatchNorm2d(2))
for module in net.modules():
    if module.__class__.__name__ == "CircularPad1d":  # T2J603
        print("found")
    if type(module).__name__.find("BatchNorm") != -1:
        print(module.eps)
    print(type(module).__name__)  # T2J603


def describe(model, error):
    return f"{model.__class__.__name__} {type(error).__name__} {torch.ones(2).sum()}"
