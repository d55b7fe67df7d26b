import torch
from torch import nn


def fill(m, value=0.5):
    if isinstance(m, nn.Linear):
        nn.init.constant_(m.weight, value)
        if m.bias is not None:
            m.bias.data.fill_(0.1)
    elif isinstance(m, nn.BatchNorm1d):
        m.weight.data.fill_(2.0)


def draw(m):
    if type(m) is nn.Linear:
        nn.init.uniform_(m.weight, 0.99, 1.01)
        m.bias.data.zero_()


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(2, 2)
        self.layers = nn.ModuleList([nn.Linear(2, 2) for _ in range(2)])
        self.head = nn.Sequential(nn.Linear(2, 2), nn.Tanh(), nn.BatchNorm1d(2))
        for m in self.modules():
            fill(m)

    def forward(self, x):
        x = self.first(x)
        for layer in self.layers:
            x = layer(x)
        return self.head(x)


class Small(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(2, 2)

    def forward(self, x):
        return self.linear(x)


def initialize(model):
    for module in model.modules():
        draw(module)


x = torch.tensor([[1.0, 2.0], [0.5, -1.0], [0.25, 0.0]])
net = Net()
print([round(v, 4) for v in net(x).sum(1).tolist()])
small = Small()
for m in small.modules():
    fill(m)
print(small(x).sum().item())
other = Small()
initialize(other)
print(bool((other(x).sum() - 2 * x.sum()).abs() < 0.2))
