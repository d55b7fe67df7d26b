# flagged: T2J303, also: nnx, linen
"""Callbacks that are given the model once, which the trainer goes on to train: in Equinox they would have the old one."""

import torch
import torch.nn as nn

x = torch.cos(torch.arange(6.0)).view(2, 3)


class Callback:
    def set_model(self, model):
        self.model = model

    def on_epoch_end(self, epoch, logs):
        pass


class WeightNorm(Callback):
    def on_epoch_end(self, epoch, logs):
        print(epoch, self.model.weight.norm().item(), logs["loss"])


class Trainer:
    def __init__(self):
        self.model = None

    def set_model(self, model):
        self.model = model
        self.opt = torch.optim.SGD(self.model.parameters(), lr=0.1)

    def fit(self, epochs, callbacks):
        for cb in callbacks:
            cb.set_model(self.model)
        for e in range(epochs):
            self.opt.zero_grad()
            loss = self.model(x).pow(2).mean()
            loss.backward()
            self.opt.step()
            for cb in callbacks:
                cb.on_epoch_end(e, {"loss": loss.item()})


net = nn.Linear(3, 2)
with torch.no_grad():
    net.weight.fill_(0.5)
    net.bias.fill_(0.1)
t = Trainer()
t.set_model(net)
t.fit(3, [WeightNorm()])
print(net.weight.norm().item())
