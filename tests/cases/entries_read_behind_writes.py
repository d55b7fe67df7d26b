"""Entries of a state dict that a variable has been given, and that are read behind the line that writes them."""

from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 2)


def read_behind(net, other):
    a = net.state_dict()
    total = 0
    b = other.state_dict()
    for k in a.keys():
        v = a[k].detach()
        a[k].copy_(b[k] * 2)  # T2J302
        total = total + v.sum()
    return total


def read_before(net, other):
    a = net.state_dict()
    b = other.state_dict()
    for k in a.keys():
        v = a[k].detach()
        total = v.sum()
        a[k].copy_(b[k] * 2 + v + total)


def read_in_the_next_round(net, other):
    a = net.state_dict()
    b = other.state_dict()
    last = None
    for k in a:
        if last is not None:
            print(last.sum().item())
        last = a[k]
        a[k].copy_(b[k] * 2)  # T2J302


n, m = Net(), Net()
print(read_behind(n, m))
read_before(n, m)
read_in_the_next_round(n, m)
