import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)

    def forward(self, x):
        return self.fc(x)

    def head(self):
        return self.fc


def made():
    return nn.Linear(3, 3)


def ones(part):
    nn.init.ones_(part.weight)


def parts_of_a_module(net: Net):
    ones(getattr(net, "fc"))  # T2J303
    ones(net.head())
    ones(next(net.children()))  # T2J303


def nobody_else_holds_them():
    ones(made())
    ones(nn.Linear(2, 2))
