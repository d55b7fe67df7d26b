# flagged: T2J601, also: nnx
"""Fields of modules that are None or a number at first, and are set by whoever goes through all modules."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class Gate(nn.Module):
    def __init__(self):
        super().__init__()
        self.rate = 0.0
        self.weight = None
        self.bias = None

    def forward(self, x):
        return F.layer_norm(F.leaky_relu(x, self.rate), x.shape[1:], self.weight, self.bias)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(2, 2, bias=False), Gate())
        nn.init.eye_(self.body[0].weight)

    def forward(self, x):
        return self.body(x)


net = Net()
x = torch.tensor([[1.0, -2.0]])
print(net(x).tolist())
for m in net.modules():
    if hasattr(m, "rate"):
        m.rate = 3.0
print(net(x).tolist())
for name, m in net.named_modules():
    if name == "body.1":
        m.weight = torch.tensor([2.0, 1.0])
        m.bias = torch.tensor([1.0, 1.0])
print(net(x).tolist())
