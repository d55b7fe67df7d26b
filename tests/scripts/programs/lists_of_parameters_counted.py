# also: nnx
"""Lists of the parameters that an optimizer is given are counted when it has trained them."""

import torch
from torch import nn


def main():
    net = nn.Linear(4, 2)
    with torch.no_grad():
        for i, p in enumerate(net.parameters()):
            p.copy_(torch.linspace(-0.5, 0.6, p.numel()).view(p.shape) + 0.1 * i)
    trainable = [p for p in net.parameters() if p.requires_grad]
    everything = list(net.parameters())
    optimizer = torch.optim.SGD(trainable, lr=0.1)
    x = torch.linspace(-1, 1, 12).view(3, 4)
    y = torch.linspace(0, 1, 6).view(3, 2)
    for step in range(5):
        loss = nn.functional.mse_loss(net(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(loss.item(), len(everything))
    print(len(trainable), sum(p.numel() for p in trainable))


main()
