"""Layers filled within bounds that a function gives with a star, options of the command line, losses told by flags, lambdas in fields."""
# also: nnx, linen

import argparse

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F


def get_arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--rate", type=float, default=1)
    parser.add_argument("--quiet", action="store_true")
    return parser.parse_args([])


def hidden_init(layer):
    limit = 1.0 / np.sqrt(layer.weight.data.size()[0])
    return (-limit, limit)


class Actor(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 40)
        self.out = nn.Linear(40, 2)
        self.reset_parameters()

    def reset_parameters(self):
        self.fc.weight.data.uniform_(*hidden_init(self.fc))
        self.out.weight.data.uniform_(-3e-3, 3e-3)

    def forward(self, state):
        return torch.tanh(self.out(F.relu(self.fc(state))))


class Criterion(nn.Module):
    def __init__(self, ignore_index=255, reduce=True):
        super().__init__()
        self.criterion = nn.CrossEntropyLoss(ignore_index=ignore_index, reduce=reduce)

    def forward(self, preds, target):
        return self.criterion(preds[0], target) + self.criterion(preds[1], target) * 0.4


def distance(x, y, average, reduce):
    return F.l1_loss(x, y, size_average=average, reduce=reduce)


class Shifted(nn.Module):
    def __init__(self, shift, slope):
        super().__init__()
        self.fc = nn.Linear(3, 3)
        self.shift = shift
        self.act = lambda x: F.leaky_relu(x, slope)
        if shift:
            self.post = lambda x: torch.roll(x, 1, 1)
        else:
            self.post = lambda x: x * 2

    def forward(self, x):
        return self.post(self.act(self.fc(x)))


def smooth(net, image, rounds):
    counts = np.zeros((4, 4))
    for row in range(rounds):
        out = net(torch.from_numpy(image[row : row + 3]).float(), rounds)
        counts[row : row + 3] += 1
        counts[row : row + 3, :3] += out.numpy()
    return counts


args = get_arguments()
torch.manual_seed(0)
weight = Actor().fc.weight
print(bool((weight.abs() <= 1 / np.sqrt(40)).all()), bool((weight.abs() > 0.5 / np.sqrt(40)).any()))
preds = [torch.linspace(-1, 1, 24).view(2, 3, 4), torch.linspace(2, -1, 24).view(2, 3, 4)]
target = torch.tensor([[0, 2, 255, 1], [1, 1, 0, 255]])
print(Criterion()(preds, target).item(), Criterion(reduce=False)(preds, target).sum().item())
for average in (True, False):
    for reduce in (True, False):
        print(distance(*preds, average, reduce).sum().item())
for shift in (True, False):
    net = Shifted(shift, 0.2)
    net.fc.weight.data.fill_(-0.1)
    net.fc.bias.data.copy_(torch.tensor([0.1, -0.2, 0.3]))
    print(net(torch.tensor([[1.0, -2.0, 5.0]]))[0, 0].item())
print(smooth(lambda x, n: x[:, :3] * n, np.arange(16.0).reshape(4, 4), args.rounds).sum() * args.rate)
