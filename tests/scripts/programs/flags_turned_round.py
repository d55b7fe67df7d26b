# also: nnx, linen
"""Flags that are the opposite of an option, asked of several options, or given to one parameter."""

import argparse

import torch
import torch.nn as nn

x = torch.linspace(-1, 1.7, 24).reshape(6, 4)
y = torch.linspace(0, 1, 6).reshape(6, 1)


def fill(model):
    values = {k: torch.sin(torch.arange(v.numel()) + 1.0).reshape(v.shape) * 0.5 for k, v in model.state_dict().items()}
    model.load_state_dict(values)
    return model


def train(model):
    start = {name: p.detach().clone() for name, p in model.named_parameters()}
    optimizer = torch.optim.SGD([p for p in model.parameters() if p.requires_grad], lr=0.1)
    for _ in range(3):
        optimizer.zero_grad()
        loss = ((model(x) - y) ** 2).mean()
        loss.backward()
        optimizer.step()
    print(round(loss.item(), 5), [name for name, p in model.named_parameters() if (p - start[name]).abs().sum() > 0])
    print(sum(p.numel() for p in model.parameters() if p.requires_grad))


class Backbone(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Linear(4, 6)
        self.body = nn.Linear(6, 6)
        self.head = nn.Linear(6, 1)

    def forward(self, x):
        return self.head(torch.relu(self.body(torch.relu(self.stem(x)))))


class Wrapped(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = Backbone()
        self.scale = nn.Parameter(torch.ones(1))

    def freeze_backbone(self, freeze=True):
        for param in self.net.parameters():
            param.requires_grad = not freeze

    def forward(self, x):
        return self.net(x) * self.scale


model = fill(Wrapped())
model.freeze_backbone()
train(model)
model.freeze_backbone(False)
train(model)

args = argparse.Namespace(freeze=True, finetune=False, last=True)
model = fill(Backbone())
for p in model.stem.parameters():
    p.requires_grad = args.finetune or not args.freeze
for p in model.body.parameters():
    p.requires_grad_(not args.freeze)
train(model)
model.body.weight.requires_grad_(args.last)
model.head.bias.requires_grad = not args.last
train(model)

model = fill(Backbone())
model.stem.requires_grad_(False)
model.body.weight.requires_grad_(False)
train(model)
model.requires_grad_(False)
model.head.weight.requires_grad_()
train(model)
