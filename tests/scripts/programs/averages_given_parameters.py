# also: nnx, linen
"""Averages of the parameters that they are given: of a module that keeps its own, and of an object that gives them back."""

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


class ExponentialMovingAverage:
    def __init__(self, parameters, decay, use_num_updates=True):
        self.decay = decay
        self.num_updates = 0 if use_num_updates else None
        self.shadow_params = [p.clone().detach() for p in parameters if p.requires_grad]
        self.collected_params = []

    def update(self, parameters):
        decay = self.decay
        if self.num_updates is not None:
            self.num_updates += 1
            decay = min(decay, (1 + self.num_updates) / (10 + self.num_updates))
        one_minus_decay = 1.0 - decay
        with torch.no_grad():
            parameters = [p for p in parameters if p.requires_grad]
            for s_param, param in zip(self.shadow_params, parameters):
                s_param.sub_(one_minus_decay * (s_param - param))

    def copy_to(self, parameters):
        parameters = [p for p in parameters if p.requires_grad]
        for s_param, param in zip(self.shadow_params, parameters):
            if param.requires_grad:
                param.data.copy_(s_param.data)

    def store(self, parameters):
        self.collected_params = [param.clone() for param in parameters]

    def restore(self, parameters):
        for c_param, param in zip(self.collected_params, parameters):
            param.data.copy_(c_param.data)


def put(values, parameters):
    parameters = [p for p in parameters if p.requires_grad]
    for value, p in zip(values, parameters):
        if p.requires_grad:
            p.data.copy_(value.data)


torch.manual_seed(0)
model = make()
ema = ExponentialMovingAverage(model.parameters(), 0.9)
opt = torch.optim.SGD(model.parameters(), lr=0.05)
for i in range(3):
    x = torch.linspace(-1, 1, 6).reshape(2, 3) + i
    opt.zero_grad()
    loss = model(x).pow(2).mean()
    loss.backward()
    opt.step()
    ema.update(model.parameters())
    print(round(loss.item(), 2))
ema.store(model.parameters())
ema.copy_to(model.parameters())
print(model[0].weight.tolist())
ema.restore(model.parameters())
print(model[0].weight.tolist())
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
