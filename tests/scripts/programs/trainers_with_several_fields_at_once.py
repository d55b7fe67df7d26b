import copy
from dataclasses import dataclass, field

import torch
import torch.nn.functional as F
from torch import nn


def start(model, k=1):
    with torch.no_grad():
        for p in model.parameters():
            p.copy_(torch.linspace(-0.9, 1, p.numel()).reshape(p.shape) * k)


class Net(nn.Module):
    def __init__(self, n_out=3):
        super().__init__()
        self.fc1 = nn.Linear(4, 6)
        self.fc2 = nn.Linear(6, n_out)

    def forward(self, x):
        return self.fc2(torch.tanh(self.fc1(x)))


x = torch.linspace(-1, 1, 64).reshape(16, 4)
y = torch.arange(16) % 3
batches = [(x[i : i + 4], y[i : i + 4]) for i in range(0, 16, 4)]


class Callback:
    def on_train_begin(self, learner):
        pass

    def on_batch_end(self, learner):
        pass

    def on_epoch_end(self, learner):
        pass


class Recorder(Callback):
    def on_train_begin(self, learner):
        self.losses = []

    def on_batch_end(self, learner):
        self.losses.append(learner.loss.item())

    def on_epoch_end(self, learner):
        print(learner.epoch, f"{sum(self.losses) / len(self.losses):.5f}")


class Learner:
    def __init__(self, model, loss_fn, opt, cbs=()):
        self.model, self.loss_fn, self.opt = model, loss_fn, opt
        self.cbs = list(cbs)

    def __call__(self, name):
        for cb in self.cbs:
            getattr(cb, name)(self)

    def one_batch(self, xb, yb):
        self.xb, self.yb = xb, yb
        self.pred = self.model(self.xb)
        self.loss = self.loss_fn(self.pred, self.yb)
        self.loss.backward()
        self.opt.step()
        self.opt.zero_grad()
        self("on_batch_end")

    def fit(self, epochs, data):
        self("on_train_begin")
        for self.epoch in range(epochs):
            self.model.train()
            for xb, yb in data:
                self.one_batch(xb, yb)
            self("on_epoch_end")


model = Net()
start(model)
learner = Learner(model, F.cross_entropy, torch.optim.SGD(model.parameters(), lr=0.1), [Recorder()])
learner.fit(3, batches)
print(model(x).sum().item())
