# also: nnx, linen
"""Averages of the parameters that they are given: of an object that keeps a module, and values that are put into parameters."""

import torch
import torch.nn as nn


def make(scale=1.0):
    model = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 2))
    with torch.no_grad():
        for p in model.parameters():
            p.copy_(torch.linspace(-1, 1, p.numel()).reshape(p.shape) * scale)
    return model


class Teacher:
    def __init__(self, model):
        self.model = model
        self.rounds = 0

    def average(self, parameters):
        self.rounds += 1
        rate = min(1 - 1 / (self.rounds + 1), 0.9)
        for mine, given in zip(self.model.parameters(), parameters):
            mine.data = rate * mine.data + (1 - rate) * given.data


def put(values, parameters):
    parameters = [p for p in parameters if p.requires_grad]
    for value, p in zip(values, parameters):
        if p.requires_grad:
            p.data.copy_(value.data)


model = make()
teacher = Teacher(make(0.5))
for _ in range(3):
    teacher.average(model.parameters())
print(teacher.model[0].weight.tolist())
halves = [p.clone().detach() * 0.5 for p in model.parameters()]
put(halves, model.parameters())
print(model[0].weight.tolist())
parameters = [p for p in model.parameters() if p.requires_grad]
for half, p in zip(halves, parameters):
    p.data.copy_(half.data + 1)
print(model[2].weight.tolist())
