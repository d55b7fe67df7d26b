# A tensor that an object was given gets another shape in place.
# entry: f
# inputs:
#     torch.tensor([[-0.25, -2.375, 1.375], [0.0, 1.125, -2.125]])
import math

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import Tensor


class C1942_1(nn.Module):

    def __init__(self):
        super().__init__()
        self.act = nn.Sequential(nn.Tanh(), nn.ReLU())

    def forward(self, x: Tensor):
        x = self.act(x)
        return x

class T1942_2(nn.Module):

    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.ones(3))
        self.v = nn.Parameter(torch.tensor([0.5, -1.0, 2.0]))

    def forward(self, x: Tensor):
        x = x * self.w
        return x

class P1942_3:

    def __init__(self, x, scale=2):
        self.x = x
        self.scale = scale

    def add(self, y, times=2):
        pass

    def total(self):
        pass

def f_h4(d: Tensor, depth: int):
    pass

def f(x: Tensor):
    net1 = C1942_1()
    y = net1(x)
    net2 = T1942_2()
    opt2 = torch.optim.SGD(net2.parameters(), lr=0.02, momentum=0.9)
    v = net2(y).detach()
    y = net2.w.detach()
    text = f'{y.shape[0]} of {tuple(y.shape)}'
    box3 = P1942_3(v)
    y = box3.add(y)
    w = box3.add(v)
    z = box3.x
    v.unsqueeze_(0)
    y = v.transpose(0, 1)
    u = x.narrow(0, 0, 1)
    return (text, u, w, x, z)
