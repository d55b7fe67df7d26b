# also: nnx, linen
"""Numbers and flags that modules of another file keep decide what is done in a step of training."""

import torch
from models import Net


def train(net, optimizer, x):
    optimizer.zero_grad()
    loss = net(x).pow(2).mean()
    loss.backward()
    optimizer.step()
    return round(loss.item(), 4)


net = Net()
optimizer = torch.optim.SGD(net.parameters(), lr=0.05)
x = torch.arange(12.0).reshape(4, 3) / 5
for step in range(4):
    print(train(net, optimizer, x))
    if step == 0:
        net.gates[0].switch(True)
print(net.gates[0].calls)
