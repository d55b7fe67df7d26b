# also: nnx, linen
"""Methods of models that take over the weights and statistics of another model."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 2)
        self.bn = nn.BatchNorm1d(2)

    def forward(self, x):
        return self.bn(self.fc(x))

    def sync(self, other):
        self.load_state_dict(other.state_dict())

    def count(self, other):
        return len([k for k in other.state_dict() if k in self.state_dict()])


class Agent:
    def __init__(self):
        self.net = Net()
        self.old = Net()

    def update(self):
        self.old.sync(self.net)
        return self.old.count(self.net)


def fill(net):
    with torch.no_grad():
        for i, p in enumerate(net.parameters()):
            p.copy_(torch.cos(torch.arange(float(p.numel())) + i).reshape(p.shape))


x = torch.sin(torch.arange(6.0)).reshape(3, 2)
a, b = Net(), Net()
fill(a)
a(x)
b.sync(a)
a.eval()
b.eval()
print(b(x).sum().item(), b.count(a), b.bn.running_mean.tolist())
agent = Agent()
fill(agent.net)
agent.net(x)
print(agent.update(), agent.old.bn.running_var.tolist(), agent.old.fc.weight.sum().item())
