# also: nnx, linen
"""Two files train with one function, which asks for the learning rate; one of them has a scheduler."""

import torch
from common import data, make_model
from engine import train
from other import train_plainly

x, y = data()
net = make_model()
opt = torch.optim.SGD(net.parameters(), 0.1)
sched = torch.optim.lr_scheduler.MultiStepLR(opt, milestones=[2, 3], gamma=0.1)
for epoch in range(5):
    print(train(net, opt, x, y), opt.param_groups[0]["lr"])
    sched.step()
train_plainly(x, y)
