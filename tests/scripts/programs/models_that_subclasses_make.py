# also: nnx
"""A base class trains what a method makes that only its subclasses have, and that raises an error in the base class."""

import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim


class Net(nn.Module):
    def __init__(self, n=4, h=6, out=3):
        super().__init__()
        self.first = nn.Linear(n, h)
        self.head = nn.Linear(h, out)

    def forward(self, x):
        return self.head(torch.tanh(self.first(x)))


def fill(model):
    with torch.no_grad():
        for i, p in enumerate(model.parameters()):
            p.copy_(torch.cos(torch.arange(p.numel()).float() * 0.7 + i).reshape(p.shape) * 0.3)
    return model


def batch(step, n=5, width=4):
    x = torch.sin(torch.arange(n * width).float() * 0.37 + step).reshape(n, width)
    y = torch.cos(torch.arange(n * 3).float() * 0.21 + step).reshape(n, 3)
    return x, y


def total(model):
    return sum(p.abs().sum().item() for p in model.parameters())


class ExpBasic(object):
    def __init__(self, args):
        self.args = args
        self.device = torch.device("cpu")
        self.model = self._build_model().to(self.device)

    def _build_model(self):
        raise NotImplementedError
        return None

    def train(self):
        pass


class ExpMain(ExpBasic):
    def __init__(self, args):
        super(ExpMain, self).__init__(args)

    def _build_model(self):
        models = {"small": Net, "big": Wide}
        model = models[self.args["model"]](4).float()
        return fill(model)

    def _select_optimizer(self):
        model_optim = optim.Adam(self.model.parameters(), lr=self.args["lr"])
        return model_optim

    def _select_criterion(self):
        return nn.MSELoss()

    def train(self):
        model_optim = self._select_optimizer()
        criterion = self._select_criterion()
        for epoch in range(2):
            losses = []
            self.model.train()
            for i in range(5):
                x, y = batch(i)
                model_optim.zero_grad()
                out = self.model(x)
                loss = criterion(out, y)
                losses.append(loss.item())
                loss.backward()
                model_optim.step()
            print(sum(losses) / 5, total(self.model))
        return self.model


class Wide(Net):
    def __init__(self, n):
        super().__init__(n, 9)


ExpMain({"model": "small", "lr": 0.01}).train()
ExpMain({"model": "big", "lr": 0.02}).train()
