# also: nnx, linen
"""A trainer that takes a model with statistics, its optimizer and its scheduler by keywords only."""

import torch
from torch import nn


class Trainer(object):
    def __init__(self, *, args, model, optimizer, scheduler):
        self.args = args
        self.model = model.to(self.args['device'])
        self.optimizer = optimizer
        self.scheduler = scheduler
        self.criterion = nn.MSELoss().to(self.args['device'])

    def train(self, x, y):
        for epoch in range(self.args['epochs']):
            loss = self.criterion(self.model(x), y)
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            if epoch >= 1:
                self.scheduler.step()
            print(epoch, loss.item(), self.scheduler.get_last_lr()[0])


model = nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4), nn.Tanh(), nn.Linear(4, 1))
with torch.no_grad():
    for p in model.parameters():
        p.copy_(torch.cos(torch.arange(p.numel())).view_as(p))
optimizer = torch.optim.SGD(model.parameters(), 0.05, momentum=0.5)
scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=4, eta_min=0, last_epoch=-1)
args = {'device': 'cpu', 'epochs': 4}
x = torch.sin(torch.arange(18.0)).view(6, 3)
trainer = Trainer(model=model, optimizer=optimizer, scheduler=scheduler, args=args)
trainer.train(x, x.sum(1, keepdim=True))
print(model[3].weight[0].tolist(), model[1].running_mean.tolist())
