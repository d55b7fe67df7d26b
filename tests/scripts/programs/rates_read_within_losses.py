# also: nnx
# A loss that depends on the learning rate, which a function asks the optimizer for.
import torch
import torch.nn as nn


def current_rate(optimizer):
    return optimizer.param_groups[0]["lr"]


def penalty(net, optimizer):
    return sum(p.abs().sum() for p in net.parameters()) * current_rate(optimizer)


net = nn.Linear(3, 1)
nn.init.constant_(net.weight, 0.3)
nn.init.constant_(net.bias, 0.1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.sin(torch.arange(12.0)).view(4, 3)
for step in range(4):
    loss = net(x).pow(2).mean() + penalty(net, optimizer)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    for group in optimizer.param_groups:
        group["lr"] *= 0.5
    print(step, loss.item(), current_rate(optimizer))
