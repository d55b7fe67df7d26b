# A gradient for a tensor of the function's own, beside a training step.
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
    net = Net()
    opt = torch.optim.SGD(net.parameters(), lr=0.05)
    opt.zero_grad()
    loss = net(x).pow(2).sum()
    loss.backward()
    opt.step()
    leaf = x.detach().clone().requires_grad_(True)
    other = torch.ones(3, requires_grad=True)
    loss = torch.sin(leaf * other).sum()
    loss.backward()
    return leaf.grad + 1, other.grad, net.w.detach()
