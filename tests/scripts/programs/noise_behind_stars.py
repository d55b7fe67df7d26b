import torch
from torch import nn


def default(value, other):
    if value is not None:
        return value
    return other() if callable(other) else other


class Diffusion(nn.Module):
    def __init__(self, model, strength=0.3):
        super().__init__()
        self.model = model
        self.strength = strength
        self.conditioned = False

    def noised(self, x, t, noise=None):
        noise = default(noise, lambda: torch.zeros_like(x))
        return x * t + noise

    def losses(self, x, t, noise=None, strength=None, reduction="mean"):
        noise = default(noise, lambda: torch.ones_like(x))
        strength = default(strength, self.strength)
        if strength > 0.0:
            noise += strength * torch.linspace(0, 1, len(x))[:, None]
        y = self.noised(x=x, t=t, noise=noise)
        condition = None
        if self.conditioned:
            with torch.no_grad():
                condition = self.model(x)
                condition.detach_()
        error = (self.model(y) - noise) ** 2
        return error if reduction == "none" else error.mean()

    def forward(self, x, *args, reduction="mean", **kwargs):
        return self.losses(x * 2, 0.5, *args, reduction=reduction, **kwargs)


class Shifted(Diffusion):
    def forward(self, x, *args, **kwargs):
        return super().forward(x + 1, *args, **kwargs)


class Trainer:
    def __init__(self, model):
        self.model = model
        self.optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)

    def train(self, x):
        for _ in range(3):
            loss = self.model(x)
            loss.backward()
            self.optimizer.step()
            self.optimizer.zero_grad()
            print(round(loss.item(), 5))


def net():
    linear = nn.Linear(3, 3)
    nn.init.constant_(linear.weight, 0.1)
    nn.init.constant_(linear.bias, 0.1)
    return linear


x = torch.arange(6.0).reshape(2, 3)
Trainer(Diffusion(net())).train(x)
shifted = Shifted(net())
print(shifted(x, strength=0.5).item(), shifted(x, noise=None, reduction="none").sum().item())
