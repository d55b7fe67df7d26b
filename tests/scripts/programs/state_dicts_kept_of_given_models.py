# flagged: T2J303
"""An object keeps the state dict of a model that it is given: training goes on with the same tensors."""

import torch
import torch.nn as nn


class EarlyStopper:
    def __init__(self):
        self.best = float("inf")
        self.best_state = None

    def step(self, value, model):
        if value < self.best:
            self.best = value
            self.best_state = {"value": value, "model": model.state_dict()}


net = nn.Linear(3, 2)
with torch.no_grad():
    net.weight.fill_(0.5)
    net.bias.fill_(0.1)
x = torch.cos(torch.arange(6.0)).view(2, 3)
stopper = EarlyStopper()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for i in range(3):
    optimizer.zero_grad()
    loss = net(x).pow(2).mean()
    loss.backward()
    optimizer.step()
    stopper.step(i, net)
    print(loss.item())
net.load_state_dict(stopper.best_state["model"])
print(net(x).sum().item())
