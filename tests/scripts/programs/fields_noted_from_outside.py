"""Fields that only code outside of the class sets, asked for before and afterwards; parts that others held before an exchange."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.channels = channels
        self.fc = nn.Linear(channels, channels)

    def forward(self, x):
        return self.fc(x)


class Outer(nn.Module):
    def __init__(self, body):
        super().__init__()
        self.body = body

    def forward(self, x):
        return torch.relu(self.body(x))


def build(channels):
    body = Net(channels)
    body.label = "body"
    model = Outer(body)
    model.num_channels = body.channels
    return model


model = build(2)
print(hasattr(model, "rate"))
model.rate = 0.5
print(model.num_channels, model.rate, hasattr(model, "rate"), model.body.label)
fc = model.body.fc
nn.init.ones_(model.body.fc.weight)
model.body.label = "changed"
print(model.body.label, tuple(model.body.fc.weight.shape))
