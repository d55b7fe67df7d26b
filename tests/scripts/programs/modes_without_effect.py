"""Modes and moves where nothing has a mode, methods of the program's own that are called `train`, and devices of any kind."""

import torch
from torch import nn


class Critic(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(dim, 4), nn.Tanh(), nn.Linear(4, 1))
        self.to("cpu")
        self.train()

    def score(self, x):
        self.eval()
        return self.trunk(x)

    def penalty(self, x):
        self.train()
        return self.trunk(x).pow(2).mean()


class Layer(nn.Linear):
    def train(self, positive, negative):
        return (self(positive) - self(negative)).mean().item()


def place(model, gpu):
    if gpu is not None:
        model = model.cuda(gpu)
    return model


torch.manual_seed(0)
critic = place(Critic(2), None)
with torch.no_grad():
    for p in critic.parameters():
        p.copy_(torch.arange(p.numel()).view(p.shape) * 0.1 + 0.1)
x = torch.tensor([[1.0, 2.0], [3.0, 5.0]])
print(critic.score(x).tolist(), critic.penalty(x).item())
layer = Layer(2, 2)
nn.init.ones_(layer.weight)
print(layer.train(x, -x))
layer.train(x, x)


class Wrapper(nn.Module):
    def __init__(self, net):
        super().__init__()
        self.net = net

    def forward(self, x):
        return self.net(x)


def evaluate(model: Wrapper, x: torch.Tensor):
    model.eval()
    return model(x)


def first(items):
    return items[0]


wrapper = Wrapper(first([nn.Dropout(0.5), None]))
print(evaluate(wrapper, x).tolist())
