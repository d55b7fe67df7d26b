# also: nnx, linen
"""Callbacks whose methods are called by a name that callers give, known by the class that they derive from; they keep and
load states of the model with statistics of the trainer that they are given."""

from typing import List

import torch
from torch import nn


class Callback:
    def on_epoch_begin(self, trainer, epoch):
        pass

    def on_epoch_end(self, trainer, epoch, loss):
        pass

    def on_train_end(self, trainer):
        pass


class History(Callback):
    def __init__(self):
        self.losses = []

    def on_epoch_end(self, trainer, epoch, loss):
        self.losses.append(round(loss, 3))


class Best(Callback):
    def __init__(self, patience=1):
        self.best = float("inf")
        self.patience = patience
        self.best_state = None

    def on_epoch_begin(self, trainer, epoch):
        for group in trainer.optimizer.param_groups:
            group["lr"] = 0.4 * (epoch + 1)

    def on_epoch_end(self, trainer, epoch, loss):
        if loss < self.best:
            self.best = loss
            self.best_state = {k: v.clone() for k, v in trainer.model.state_dict().items()}
        else:
            self.patience -= 1
            trainer.should_stop = self.patience < 0

    def on_train_end(self, trainer):
        if self.best_state is not None:
            trainer.model.load_state_dict(self.best_state)


class Trainer:
    def __init__(self, model: nn.Module, callbacks: List[Callback] = None):
        self.model = model
        self.callbacks = callbacks or []
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.1)
        self.should_stop = False

    def call(self, hook, *args):
        for callback in self.callbacks:
            getattr(callback, hook)(self, *args)

    def fit(self, x, y):
        for epoch in range(8):
            self.call("on_epoch_begin", epoch)
            self.optimizer.zero_grad()
            loss = (self.model(x) - y).pow(2).mean()
            loss.backward()
            self.optimizer.step()
            self.call("on_epoch_end", epoch, loss.item())
            if self.should_stop:
                print("stopped at", epoch)
                break
        self.call("on_train_end")


model = nn.Sequential(nn.Linear(3, 4, bias=False), nn.BatchNorm1d(4), nn.Tanh(), nn.Linear(4, 1))
with torch.no_grad():
    model[0].weight.copy_(torch.sin(torch.arange(12.0)).reshape(4, 3))
    model[3].weight.fill_(0.3)
    model[3].bias.zero_()
x = torch.cos(torch.arange(24.0) * 0.7).reshape(8, 3)
history = History()
trainer = Trainer(model, [history, Best()])
trainer.fit(x, x.sum(1, keepdim=True))
print(history.losses)
model.eval()
print(model(x[:2]).flatten().tolist(), model[1].running_mean.tolist())
