# also: nnx, linen
"""An object that a model is given: a list and a dict in its fields change in place between steps, also in another file."""

import torch
from torch import nn
from net import Net, data
from schedule import Schedule

schedule = Schedule(1.0)
net = Net(schedule)
nn.init.constant_(net.fc.weight, 0.3)
nn.init.constant_(net.fc.bias, 0.1)
opt = torch.optim.SGD(net.parameters(), lr=0.05)
x, y = data()
for i in range(5):
    opt.zero_grad()
    loss = (net(x) - y).pow(2).mean() + net.penalty()
    loss.backward()
    opt.step()
    if i == 2:
        schedule.named["bonus"] = 0.3
    else:
        schedule.step()
    print(loss.item())
print(len(schedule.values), net.fc.weight.sum().item())
