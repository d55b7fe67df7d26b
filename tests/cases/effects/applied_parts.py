"""`apply` of the variable of a loop over modules."""

from torch import nn


def set_layer(module):
    if isinstance(module, nn.Linear):
        nn.init.constant_(module.weight, 0.5)


class Parts(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(3, 3)
        for m in self.children():
            m.apply(set_layer)


class Deep(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(3, 3)
        self.second = nn.Sequential(nn.Linear(3, 3))
        for m in self.children():
            for k in m.modules():
                set_layer(k)
        second = self.second
        second.apply(set_layer)
