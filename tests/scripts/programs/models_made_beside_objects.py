"""A model that a function makes beside another object, and whose method fills a part of it."""
# also: nnx, linen

import torch
import torch.nn as nn


class Diffusion:
    def __init__(self, steps):
        self.steps = steps
        self.scale = 0.5

    def noise(self, x):
        return x * self.scale * self.steps


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(2, 3), nn.ReLU(), nn.Linear(3, 1))

    def fill(self):
        self.body.apply(fill)

    def forward(self, x):
        return self.body(x)


def fill(layer):
    if isinstance(layer, nn.Linear):
        nn.init.constant_(layer.weight, 0.5)
        nn.init.zeros_(layer.bias)


def create(steps):
    model = Net()
    diffusion = Diffusion(steps)
    return model, diffusion


def main():
    model, diffusion = create(4)
    if diffusion.steps > 3:
        model.fill()
    model.eval()
    print(model(diffusion.noise(torch.ones(1, 2))).item())


main()
