"""What methods and functions give is changed in place: parts of named tuples, masks, predictions that are clipped or not."""

from collections import namedtuple
from functools import partial

import torch
from torch import nn

Prediction = namedtuple("Prediction", ["noise", "start"])


def identity(t, *args, **kwargs):
    return t


class Denoiser(nn.Module):
    def __init__(self, net, objective="noise"):
        super().__init__()
        self.net = net
        self.objective = objective
        self.register_buffer("scale", torch.linspace(0.5, 1.5, 4))

    def start_of(self, x, noise):
        return self.scale * x - noise

    def predict(self, x, t, clip=False):
        out = self.net(x)
        maybe_clip = partial(torch.clamp, min=-1.0, max=1.0) if clip else identity
        if self.objective == "noise":
            noise = out
            start = maybe_clip(self.start_of(x, noise))
        else:
            start = out
            start = maybe_clip(start)
            noise = x - start
        return Prediction(noise, start)

    def mean(self, x, t, clip=True):
        made = self.predict(x, t)
        start = made.start
        if clip:
            start.clamp_(-0.1, 0.1)
        return (start + x * t).sum()

    def head(self, x):
        mask = self.net(x).flatten(1)
        mask = mask.sigmoid() < 0.5
        mask = mask.detach()
        return x.sum(), self.net(x), mask

    def masked(self, x):
        total, out, mask = self.head(x)
        for _ in range(2):
            mask[torch.where(mask.sum(-1) == mask.shape[-1])] = False
            total = total + (out * mask).sum()
            _, out, mask = self.head(out)
        return total


torch.manual_seed(0)
net = nn.Linear(4, 4)
with torch.no_grad():
    net.weight.copy_(torch.linspace(-1, 1, 16).view(4, 4))
    net.bias.copy_(torch.linspace(-1, 1, 4))
x = torch.linspace(-2, 2, 12).view(3, 4)
for objective in ("noise", "start"):
    model = Denoiser(net, objective)
    print(model.mean(x, 2.0).item(), model.mean(x, 2.0, False).item(), model.masked(x).item())
    value = model.mean(x, 2.0)
print(x.sum().item())


def pair(t, clip):
    limited = partial(torch.clamp, min=-1.0) if clip else identity
    first = limited(t * 2)
    return Prediction(first, first - 1)


def one_of_two(t):
    start = pair(t, False).noise
    start.clamp_(-0.5, 0.5)
    return start.sum() + t.sum()


def in_a_loop(t):
    total = 0.0
    for _ in range(3):
        t = pair(t, True).start
        t.add_(1)
        total += t.sum().item()
    return total


def with_gradients(t):
    weight = t.clone().requires_grad_()
    start = pair(weight, False).noise
    start.mul_(weight)
    start.sum().backward()
    return weight.grad.sum().item()


print(one_of_two(x).item(), in_a_loop(x), with_gradients(x))
print(x.sum().item())
