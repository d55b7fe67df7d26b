"""Contexts of modes that cannot be written out, and results in front of the mode that is set back."""

import torch
import torch.nn as nn


class eval_mode:
    def __init__(self, *models):
        self.models = models

    def __enter__(self):
        self.prev_states = []
        for model in self.models:
            self.prev_states.append(model.training)
            model.train(False)  # T2J603

    def __exit__(self, *args):
        for model, state in zip(self.models, self.prev_states):
            model.train(state)  # T2J603


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 3)
        self.bn = nn.BatchNorm1d(3)

    def forward(self, x):
        return self.bn(self.fc(x))


def first(net, xs):
    was_training = net.training
    net.eval()
    try:
        for x in xs:
            y = net(x).sum().item()
            if y > 0:
                return y
    finally:
        net.train(was_training)  # T2J603
    return 0


net = Net()
nets = [Net(), Net()]
x = torch.ones(2, 4)
with eval_mode(net) as entered:
    print(net(x))
with eval_mode(*nets):
    print(nets[0](x))  # T2J303
print(first(net, [x]))
