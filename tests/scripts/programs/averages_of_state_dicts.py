"""Averages of weights are kept in dictionaries: copies of what a state dict holds, which are added to and changed in place."""

import copy

import torch
from torch import nn


class Average:
    def __init__(self):
        self.count = 0
        self.mean = None

    def update(self, model):
        now = model.state_dict()
        if self.mean is None:
            self.mean = {k: v.clone() for k, v in now.items()}
        else:
            for k in self.mean:
                self.mean[k] += (now[k] - self.mean[k]) / (self.count + 1)
        self.count += 1


net = nn.Sequential(nn.Linear(2, 3), nn.Softplus(), nn.Linear(3, 1))
with torch.no_grad():
    for p in net.parameters():
        p.copy_(torch.linspace(-1.0, 2.0, p.numel()).sin().view_as(p) * 0.4)
opt = torch.optim.SGD(net.parameters(), lr=0.2)
average = Average()
x = torch.tensor([[0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
total = copy.deepcopy(net.state_dict())
for step in range(4):
    loss = (net(x) - 1).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    average.update(net)
    for k, v in net.state_dict().items():
        total[k] += v
    print(step, f"{loss.item():.4f}")
for k in total:
    print(k, f"{total[k].sum().item():.4f}", f"{average.mean[k].sum().item():.4f}")
net.load_state_dict(average.mean)
print(f"{net(x).sum().item():.4f}", average.count)
