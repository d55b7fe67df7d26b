# also: nnx
"""What is trained of a model of another file is chosen by the names of its parameters; they are counted behind the training."""

import torch
from torch import nn

from model import Net


def main():
    net = Net()
    with torch.no_grad():
        for i, p in enumerate(net.parameters()):
            p.copy_(torch.linspace(-0.5, 0.6, p.numel()).view(p.shape) + 0.1 * i)
    for name, p in net.named_parameters():
        p.requires_grad_(name.startswith("head"))
    trainable = [p for p in net.parameters() if p.requires_grad]
    optimizer = torch.optim.SGD(trainable, lr=0.1)
    x = torch.linspace(-1, 1, 12).view(3, 4)
    y = torch.linspace(0, 1, 6).view(3, 2)
    for step in range(5):
        loss = nn.functional.mse_loss(net(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(loss.item())
    print(
        len(trainable),
        sum(p.numel() for p in trainable),
        net.encoder.lin.weight.sum().item(),
        net.head.bias.sum().item(),
    )


main()
