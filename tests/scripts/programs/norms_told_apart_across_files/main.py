# also: nnx, linen
"""Helpers ask for one norm of torch, where a model of another file has two."""

import torch
from helpers import count, fill
from nets import Net

net = Net()
fill(net)
print(count(net), net.body[1].weight.tolist(), net.head[1].weight.tolist())
x = torch.arange(32.0).reshape(2, 1, 4, 4)
net(x)
net.eval()
print(net(x).tolist())
