import torch
from torch import nn


class Backbone(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.body = nn.Linear(d, d)
        self.head = nn.Linear(d, 2)

    def freeze(self):
        for param in self.parameters():
            param.requires_grad = False

    def forward(self, x):
        return self.head(self.body(x).tanh())


def fill(model):
    with torch.no_grad():
        for p in model.parameters():
            p.copy_(torch.linspace(-1, 1, p.numel()).view_as(p) * 0.5)


def prepared(d):
    model = Backbone(d)
    fill(model)
    for param in model.parameters():
        param.requires_grad = False
    return model
