import torch
import torch.nn as nn

SAVED = []


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(3, 3)
        self.head = nn.Linear(3, 1)

    def forward(self, x):
        hidden = self.body(x)
        hidden.register_hook(lambda grad: SAVED.append(grad))  # T2J602
        return self.head(hidden)


def read_before(x, net):
    hidden = net.body(x)
    early = hidden * 2
    hidden.register_hook(lambda grad: grad * 0.5)  # T2J602
    return early.sum() + hidden.sum()


def scaled(x, net, factor):
    hidden = net.body(x)
    hidden.register_hook(lambda grad: grad * factor)  # T2J602
    return hidden.sum()


def printed(x, net):
    hidden = net.body(x)
    hidden.register_hook(print)  # T2J602
    return hidden.sum()


class Dynamics(nn.Module):
    def __init__(self):
        super().__init__()
        self.next = nn.Linear(3, 3)
        self.value = nn.Linear(3, 1)

    def forward(self, x):
        hidden = self.next(x)
        return self.value(hidden), hidden


def unrolled(x, dynamics):
    value, hidden = dynamics(x)
    hidden.register_hook(lambda grad: grad * 0.5)  # T2J602
    return value.sum() + hidden.sum()


print(unrolled(torch.ones(2, 3), Dynamics()))
net = Net()
x = torch.ones(2, 3)
print(net(x).sum(), read_before(x, net), scaled(x, net, 2.0), printed(x, net))
