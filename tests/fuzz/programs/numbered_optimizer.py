# The state of an optimizer whose name ends in a number.
# entry: f
# inputs:
#     torch.tensor([[1.0, -2.0, 3.0]])
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import Tensor


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.ones(3))

    def forward(self, x: Tensor):
        return x * self.w


def f(x: Tensor):
    net1 = Net()
    opt1 = torch.optim.SGD(net1.parameters(), lr=0.05)
    for _ in range(2):
        opt1.zero_grad()
        loss = net1(x).pow(2).sum()
        loss.backward()
        opt1.step()
    return loss.item(), net1.w.detach()
