# also: nnx
"""Models that are frozen in one file and trained by the function of another one."""

import utils
from models import Net, Wrapped
from trainer import fit
from utils import count, share


def freeze(module):
    for p in module.parameters():
        p.requires_grad = False


def make():
    net = Net()
    for p in net.head.parameters():
        p.requires_grad = False
    return net


net = Net()
for p in net.conv.parameters():
    p.requires_grad = False
fit(net)
other = Net()
freeze(other.conv)
fit(other)
fit(make())
fit(Wrapped())
print(count(net), share(net), count(Net()))
third = Net()
utils.set_trained([third.head, third.conv])
utils.set_trained(third.head, True)
fit(third)
