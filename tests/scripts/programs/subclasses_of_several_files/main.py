# also: nnx, linen
"""Methods that a base class calls: one file has subclasses that draw or keep state in them, another one subclasses that do not."""

import torch
from drawing import Noisy, Normed
from plain import Doubled, Plain


def fill(net):
    with torch.no_grad():
        for i, p in enumerate(net.parameters()):
            p.copy_(torch.sin(torch.arange(p.numel()).float() * 1.3 + i).view(p.shape) * 0.5)


def run(net, x):
    fill(net)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for _ in range(3):
        optimizer.zero_grad()
        loss = net(x).pow(2).mean()
        loss.backward()
        optimizer.step()
        print(loss.item())
    net.eval()
    print(net(x).sum().item())


x = torch.sin(torch.arange(12.0) * 0.37).view(3, 4)
run(Normed(), x)
run(Doubled(), x)
net = torch.nn.Linear(4, 3)
fill(net)
print(Noisy(net)(x, None).sum().item())
print(Plain(net)(x).sum().item())
