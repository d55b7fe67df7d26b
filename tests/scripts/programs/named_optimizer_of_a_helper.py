"""An optimizer whose class a configuration names, made by a function that is given the parameters."""

import torch
import torch.nn as nn
import torch.nn.functional as F


def fill(model):
    with torch.no_grad():
        for i, p in enumerate(model.parameters()):
            p.copy_(torch.linspace(-0.4, 0.5, p.numel()).reshape(p.shape) * (1 + 0.1 * i))


class Net(nn.Module):
    def __init__(self, hidden=8):
        super().__init__()
        self.fc1 = nn.Linear(4, hidden)
        self.fc2 = nn.Linear(hidden, 2)

    def forward(self, x):
        return self.fc2(torch.tanh(self.fc1(x)))


x = torch.linspace(-1, 1, 24).reshape(6, 4)
y = torch.linspace(0, 1, 12).reshape(6, 2)


from torch import optim


def build(cfg, params):
    return getattr(optim, cfg["opt"])(params, lr=cfg["lr"])


def run(cfg):
    model = Net()
    fill(model)
    optimizer = build(cfg, model.parameters())
    for step in range(3):
        optimizer.zero_grad()
        loss = F.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
        print(loss.item())


run({"opt": "SGD", "lr": 0.1})
run({"opt": "RMSprop", "lr": 0.01})
