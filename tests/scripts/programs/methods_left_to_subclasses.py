# also: nnx, linen
from abc import ABC, abstractmethod

import torch
import torch.nn as nn
import torch.nn.functional as F


def filled(model):
    for number, parameter in enumerate(model.parameters()):
        nn.init.constant_(parameter, 0.1 + 0.05 * number)
    return model


class Normed(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.bn = nn.BatchNorm1d(4)
        self.fc = nn.Linear(4, size)

    def forward(self, x):
        return self.fc(self.bn(x))


class Plain(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.fc = nn.Linear(4, size)

    def forward(self, x):
        return self.fc(x)


class Experiment:
    """What its only subclass makes keeps state: the hook does nothing, and no experiment is made itself."""

    def __init__(self, hidden):
        self.hidden = hidden
        self.net = self._make_net().to("cpu")

    def _make_net(self):
        pass

    def _make_optimizer(self):
        raise NotImplementedError

    def run(self, x):
        optimizer = self._make_optimizer()
        for i in range(3):
            optimizer.zero_grad()
            loss = (self.net(x) - x).pow(2).mean()
            loss.backward()
            optimizer.step()
            print(i, loss.item())


class AutoEncoder(Experiment):
    def _make_net(self):
        net = nn.Sequential(nn.BatchNorm1d(4), nn.Linear(4, self.hidden), nn.Linear(self.hidden, 4))
        return filled(net)

    def _make_optimizer(self):
        return torch.optim.SGD(self.net.parameters(), lr=0.05)


class Trainer(ABC):
    """Of its subclasses one makes a model with state, and the other one without."""

    def __init__(self, lr):
        self.lr = lr
        self.scale = self.loss_scale()
        self.model = self.build_model(3)
        self.optimizer = self.build_optimizer()
        self.history = []

    @abstractmethod
    def build_model(self, size):
        """Make the model."""

    def build_optimizer(self):
        return torch.optim.SGD(self.model.parameters(), lr=self.lr)

    @abstractmethod
    def loss_scale(self): ...

    def fit(self, x, y):
        for epoch in range(3):
            self.model.train()
            self.optimizer.zero_grad()
            loss = F.cross_entropy(self.model(x), y) * self.scale
            loss.backward()
            self.optimizer.step()
            self.history.append(loss.item())
        self.model.eval()
        with torch.no_grad():
            print(self.history, self.model(x).sum().item())


class WithState(Trainer):
    def build_model(self, size):
        return filled(Normed(size))

    def loss_scale(self):
        return 2.0


class WithoutState(Trainer):
    def build_model(self, size):
        model = Plain(size)
        filled(model)
        return model

    def build_optimizer(self):
        return torch.optim.Adam(self.model.parameters(), lr=self.lr)

    def loss_scale(self):
        return 0.5


x = torch.arange(24.0).view(6, 4).sin()
y = torch.tensor([0, 1, 2, 0, 0, 0])
experiment = AutoEncoder(3)
experiment.run(x)
experiment.net.eval()
print(experiment.net(x).sum().item())
WithState(0.1).fit(x, y)
WithoutState(0.01).fit(x, y)
try:
    Experiment._make_optimizer(experiment)
except NotImplementedError:
    print("left to others")
