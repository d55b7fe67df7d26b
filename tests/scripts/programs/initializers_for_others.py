# also: nnx
"""Functions that fill the weights of a layer they are given, of which nobody here says what it is: other programs apply them."""

import math

import torch
from torch import nn
from torch.nn import init


def conv_init(m):
    classname = m.__class__.__name__
    if classname.find("Conv") != -1:
        init.xavier_uniform_(m.weight, gain=math.sqrt(2))
        init.constant_(m.bias, 0)
    elif classname.find("BatchNorm") != -1:
        init.constant_(m.weight, 1)
        init.constant_(m.bias, 0)


def weights_init(m):
    if m.__class__.__name__.find("Linear") != -1:
        bound = math.sqrt(6.0 / sum(m.weight.data.size()))
        m.weight.data.uniform_(-bound, bound)
        m.bias.data.fill_(0)


def fill_layer(layer):
    nn.init.constant_(layer.weight, 0.5)
    layer.bias.data.zero_()


def fill_holder(part):
    nn.init.constant_(part.weight, 2.0)


class Part:
    def __init__(self):
        self.weight = torch.zeros(3)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(3, 2)
        self.c = nn.Conv1d(2, 2, 1)
        for m in self.modules():
            if isinstance(m, nn.Conv1d) or isinstance(m, nn.Linear):
                nn.init.constant_(m.weight, 0.3)
                if m.bias is not None:
                    m.bias.detach().zero_()
            elif isinstance(m, nn.BatchNorm1d) or isinstance(m, nn.GroupNorm):
                m.weight.detach().detach().fill_(1)

    def forward(self, x):
        return self.c(self.a(x).unsqueeze(-1)).squeeze(-1)


net = Net()
print(net(torch.ones(2, 3)).sum().item())
fill_layer(net.a)
print(net(torch.ones(2, 3)).sum().item())
part = Part()
fill_holder(part)
print(part.weight.sum().item())
