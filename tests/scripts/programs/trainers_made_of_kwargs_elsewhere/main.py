# also: nnx, linen
"""A trainer in another file that takes all that it needs out of `**kwargs`."""

import torch
from torch import nn
from trainer import Trainer

model = nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4), nn.Tanh(), nn.Linear(4, 1))
with torch.no_grad():
    for p in model.parameters():
        p.copy_(torch.cos(torch.arange(p.numel())).view_as(p))
optimizer = torch.optim.SGD(model.parameters(), 0.05, momentum=0.5)
args = {'device': 'cpu', 'epochs': 4}
x = torch.sin(torch.arange(18.0)).view(6, 3)
trainer = Trainer(model=model, optimizer=optimizer, args=args)
trainer.train(x, x.sum(1, keepdim=True))
print(model[3].weight[0].tolist(), model[1].running_mean.tolist())
