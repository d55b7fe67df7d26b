# A loss that has no name is translated like any other, with and without state.
# entry: f
# inputs:
#     torch.tensor([[0.5, -1.0, 2.0], [1.5, 0.25, -0.75]])
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import Tensor


class N(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)
        nn.init.eye_(self.fc.weight)
        nn.init.zeros_(self.fc.bias)

    def forward(self, x: Tensor):
        return self.fc(x)


def f(x: Tensor):
    net = N()
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    opt.zero_grad()
    net(x).pow(2).mean().backward()
    opt.step()

    def step():
        opt.zero_grad()
        net(x).pow(2).mean().backward()
        opt.step()

    step()
    step()
    other = nn.Sequential(N(), nn.BatchNorm1d(3))
    opt2 = torch.optim.SGD(other.parameters(), lr=0.1)
    for _ in range(2):
        opt2.zero_grad()
        F.mse_loss(other(x).relu(), x.new_zeros(2, 3)).backward()
        opt2.step()
    return net(x), other(x)
