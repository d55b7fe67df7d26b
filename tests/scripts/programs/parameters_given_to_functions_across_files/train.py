import copy

import torch
import nn


class Trainer:
    def __init__(self, model, rate):
        self.model = model
        self.ema = copy.deepcopy(model)
        self.rate = rate
        self.opt = torch.optim.SGD(self.model.parameters(), lr=0.1)

    def run(self, x, steps):
        for _ in range(steps):
            loss = nn.mean_flat(self.model(x) ** 2).sum()
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            self._update()
            print(loss.item())

    def _update(self):
        nn.update_ema(self.ema.parameters(), self.model.parameters(), rate=self.rate)
