# flagged: T2J507, T2J203
"""Two schedulers chosen by a name, made by a function that gives back an error where it knows none."""

import torch
import torch.nn as nn
from torch.optim import lr_scheduler


def get_scheduler(optimizer, policy, n_epochs):
    if policy == 'linear':
        def lambda_rule(epoch):
            lr_l = 1.0 - max(0, epoch - 1) / float(n_epochs + 1)
            return lr_l
        scheduler = lr_scheduler.LambdaLR(optimizer, lr_lambda=lambda_rule)
    elif policy == 'step':
        scheduler = lr_scheduler.StepLR(optimizer, step_size=2, gamma=0.1)
    elif policy == 'cosine':
        scheduler = lr_scheduler.CosineAnnealingLR(optimizer, T_max=n_epochs, eta_min=0)
    else:
        return NotImplementedError('learning rate policy [%s] is not implemented', policy)
    return scheduler


class Model:
    def __init__(self):
        self.net = nn.Linear(4, 2)
        self.critic = nn.Linear(2, 1)
        for m in (self.net, self.critic):
            for i, p in enumerate(m.parameters()):
                p.data = torch.linspace(-1, 1, p.numel()).view(p.shape) + 0.1 * i
        self.opt = torch.optim.SGD(self.net.parameters(), lr=0.1)
        self.opt_c = torch.optim.SGD(self.critic.parameters(), lr=0.2)
        self.scheduler = get_scheduler(self.opt, 'linear', 5)
        self.scheduler_c = get_scheduler(self.opt_c, 'linear', 5)

    def step(self, x):
        y = self.critic(self.net(x)).pow(2).mean()
        self.opt.zero_grad()
        self.opt_c.zero_grad()
        y.backward()
        self.opt.step()
        self.opt_c.step()
        return y.item()

    def epoch(self):
        self.scheduler.step()
        self.scheduler_c.step()
        print(self.opt.param_groups[0]['lr'], self.opt_c.param_groups[0]['lr'])


m = Model()
x = torch.linspace(-1, 1, 12).view(3, 4)
for e in range(3):
    print(m.step(x), m.step(x))
    m.epoch()
