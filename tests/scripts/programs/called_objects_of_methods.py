# also: nnx
"""Objects that a step calls (`self.loss(...)`) have fields of their own: those that `__call__` changes are not fields of the object around."""

import torch
import torch.nn as nn


class Loss:
    def __init__(self):
        self.n = 0
        self.ema = None

    def __call__(self, out, y):
        self.n += 1
        loss = (out - y).abs().mean()
        self.ema = loss.item() if self.ema is None else 0.9 * self.ema + 0.1 * loss.item()
        return loss / self.n


class Noise:
    def __init__(self, scale):
        self.scale = scale
        self.count = 0

    def __call__(self, x):
        self.count += 1
        return x + self.scale * self.count


class Step:
    def __init__(self, model, loss, lr):
        self.model, self.loss = model, loss
        self.opt = torch.optim.SGD(model.parameters(), lr)
        self.noise_class = Noise
        self.noise = Noise(0.1)
        self.scale = 3.0

    def __call__(self, x, y):
        self.opt.zero_grad()
        noise = self.noise_class(0.5)
        loss = self.loss(self.model(self.noise(noise(x))), y) * self.scale
        loss.backward()
        self.opt.step()
        print(self.noise.count, noise.count)
        return loss.detach()


net = nn.Linear(2, 1)
nn.init.constant_(net.weight, 0.2)
nn.init.zeros_(net.bias)
loss = Loss()
step = Step(net, loss, 0.1)
x = torch.tensor([[1.0, 2.0], [0.5, -1.0]])
y = torch.tensor([[1.0], [0.0]])
values = [step(x, y).item() for _ in range(4)]
print(values, loss.n, loss.ema, step.scale, net.weight.tolist())
