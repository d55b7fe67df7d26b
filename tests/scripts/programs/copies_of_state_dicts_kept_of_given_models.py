# also: nnx, linen
"""Objects keep copies of the state dicts of models that they are given, or a state dict that is saved at once."""

import copy
import os
import tempfile

import torch
import torch.nn as nn


class EarlyStopper:
    def __init__(self, path):
        self.path = path
        self.best = float("inf")
        self.best_state = None
        self.clones = None
        self.saved = None

    def step(self, value, model):
        if value < self.best:
            self.best = value
            self.best_state = copy.deepcopy(model.state_dict())
            self.clones = {k: v.clone() for k, v in model.state_dict().items()}
            self.saved = {"model": model.state_dict(), "value": value}
            torch.save(self.saved, self.path)


net = nn.Linear(3, 2)
with torch.no_grad():
    net.weight.fill_(0.5)
    net.bias.fill_(0.1)
x = torch.cos(torch.arange(6.0)).view(2, 3)
with tempfile.TemporaryDirectory() as folder:
    stopper = EarlyStopper(os.path.join(folder, "best.pt"))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for i in range(3):
        optimizer.zero_grad()
        loss = net(x).pow(2).mean()
        loss.backward()
        optimizer.step()
        stopper.step(i, net)
        print(loss.item())
    net.load_state_dict(stopper.best_state)
    print(net(x).sum().item())
    net.load_state_dict(stopper.clones)
    print(net(x).sum().item())
    net.load_state_dict(torch.load(stopper.path)["model"])
    print(net(x).sum().item())
