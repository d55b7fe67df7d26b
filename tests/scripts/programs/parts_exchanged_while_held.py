"""A module gets another part while a model holds it already: torch changes the model, too."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = 2.0

    def forward(self, x):
        return x * self.scale


body = Net()
model = nn.Sequential(body, nn.ReLU())
body.scale = 5.0
print(model(torch.ones(2)).tolist())
