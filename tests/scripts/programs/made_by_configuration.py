# also: nnx
"""Functions that take a module of torch and the name of something in it: one makes optimizers, schedulers, layers and losses."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class Config:
    def __init__(self, config):
        self.config = config

    def __getitem__(self, name):
        return self.config[name]

    def init_obj(self, name, module, *args, **kwargs):
        module_name = self[name]["type"]
        module_args = dict(self[name]["args"])
        assert all(key not in module_args for key in kwargs)
        module_args.update(kwargs)
        return getattr(module, module_name)(*args, **module_args)


def get_instance(module, name, config, *args):
    return getattr(module, config[name]["type"])(*args, **config[name]["args"])


class Net(nn.Module):
    def __init__(self, width=8):
        super().__init__()
        self.first, self.last = nn.Linear(4, width), nn.Linear(width, 2)

    def forward(self, x):
        return self.last(torch.tanh(self.first(x)))


def make(width):
    model = Net(width)
    with torch.no_grad():
        for number, p in enumerate(model.parameters()):
            p.copy_(torch.linspace(-0.4, 0.5, p.numel()).reshape(p.shape) * (1 + 0.1 * number))
    return model


def train(model, optimizer, scheduler):
    for _ in range(4):
        optimizer.zero_grad()
        loss = F.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
        scheduler.step()
        print(round(loss.item(), 5), round(optimizer.param_groups[0]["lr"], 5))


def with_method(config):
    model = make(5)
    parameters = filter(lambda p: p.requires_grad, model.parameters())
    optimizer = config.init_obj("optimizer", torch.optim, parameters, weight_decay=0.01)
    scheduler = config.init_obj("scheduler", torch.optim.lr_scheduler, optimizer)
    train(model, optimizer, scheduler)


def with_function(config):
    model = make(6)
    optimizer = get_instance(torch.optim, "optimizer", config, model.parameters())
    scheduler = get_instance(torch.optim.lr_scheduler, "scheduler", config, optimizer)
    for _ in range(4):
        optimizer.zero_grad()
        loss = F.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
        scheduler.step()
        print(round(loss.item(), 5), round(scheduler.get_last_lr()[0], 5))


x = torch.linspace(-1, 1, 24).reshape(6, 4)
y = torch.linspace(0, 1, 12).reshape(6, 2)
adam = {"type": "Adam", "args": {"lr": 0.01}}
sgd = {"type": "SGD", "args": {"lr": 0.1, "momentum": 0.9}}
with_method(Config({"optimizer": adam, "scheduler": {"type": "StepLR", "args": {"step_size": 2, "gamma": 0.5}}}))
with_function({"optimizer": sgd, "scheduler": {"type": "CosineAnnealingLR", "args": {"T_max": 4}}})
