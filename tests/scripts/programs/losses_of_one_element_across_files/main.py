# also: nnx, linen
"""Functions of another file compute losses of one element, which have an axis."""

import torch
from losses import both, squared, through_names
from torch import nn


def made(scale):
    net = nn.Linear(1, 1)
    with torch.no_grad():
        for p in net.parameters():
            p.fill_(scale)
    return net, torch.optim.SGD(net.parameters(), lr=0.01)


pairs = [(1.0, 2.0), (2.0, 4.0), (3.0, 6.0)]
print(squared(torch.tensor(2.0), torch.tensor(1.0)).item())
for loss_of in (squared, through_names):
    net, optimizer = made(0.5)
    for x, y in pairs:
        loss = loss_of(net(torch.tensor([x])), torch.tensor([y]))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(round(loss.item(), 4), list(loss.shape))
net, optimizer = made(0.3)
for x, y in pairs:
    error = squared(net(torch.tensor([x])), torch.tensor([y]))
    optimizer.zero_grad()
    error.backward()
    optimizer.step()
    print(round(error.item(), 4), list(error.shape))
net, optimizer = made(0.2)
for x, y in pairs:
    error, grown = both(net(torch.tensor([x])), torch.tensor([y]))
    optimizer.zero_grad()
    grown.backward()
    optimizer.step()
    print(round(error.item(), 4), round(grown.item(), 4), list(grown.shape))
net, optimizer = made(0.1)
for x, y in pairs:
    error = through_names(y_val=torch.tensor([y]), y_pred=net(torch.tensor([x])))
    optimizer.zero_grad()
    error.backward()
    optimizer.step()
    print(round(error.item(), 4), error.dim())
