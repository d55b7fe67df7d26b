# also: nnx, linen
"""Functions of other files make parts of modules, and models of their own."""

import torch
from blocks import conv_block
from models import Net, two

x = torch.linspace(-1, 2, 6).reshape(2, 3)


def show(value):
    print([round(v, 4) for v in value.flatten().tolist()])


show(Net()(x))
show(conv_block(3, 2)(x))
net = two(3, 2)
show(net(x))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(3):
    loss = (net(x) - 1).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(round(loss.item(), 4))
