"""A `forward` under `@torch.no_grad()` in what is trained: its results are constants. Mixed precision that is off is nothing."""

import torch
import torch.nn as nn


class Rotary(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.register_buffer("frequencies", 1.0 / 2 ** torch.arange(0, dim).float(), persistent=False)

    @torch.no_grad()
    def forward(self, x, positions):
        """Cosine and sine."""
        platform = x.device.type if isinstance(x.device.type, str) and x.device.type != "mps" else "cpu"
        with torch.autocast(device_type=platform, enabled=False):
            angles = positions[:, None] * self.frequencies.float()
            cos, sin = angles.cos(), angles.sin()
        return cos.to(dtype=x.dtype), sin.to(dtype=x.dtype)


class Statistics(nn.Module):
    @torch.no_grad()
    def forward(self, x):
        return (x - x.mean()) / x.std()


class Same(nn.Module):
    @torch.no_grad()
    def forward(self, x):
        return x


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.rotary = Rotary(3)
        self.linear = nn.Linear(3, 3)
        with torch.no_grad():
            self.linear.weight.fill_(0.25)
            self.linear.bias.fill_(0.5)

    def forward(self, x):
        h = self.linear(x)
        cos, sin = self.rotary(h, torch.arange(x.shape[0]))
        return h * cos - h * sin + 0.0 * Statistics()(x)


def case_trained(x):
    model = Net()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    losses = []
    for _ in range(3):
        optimizer.zero_grad()
        loss = model(x).pow(2).mean()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


def case_gradient(x):
    w = x.clone().requires_grad_()
    loss = (w * Statistics()(w)).sum()
    loss.backward()
    return w.grad


def case_of_the_argument(x):
    return Same()(x)


def case_gradient_of_the_argument(x):
    w = x.clone().requires_grad_()
    loss = (w * Same()(w)).sum()
    loss.backward()
    return w.grad
