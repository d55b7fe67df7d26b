"""A function calls methods of a module that only its base is known of: one of the classes that have them draws."""

import torch
from torch import nn
import torch.nn.functional as F


class Autoencoder(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.inner = nn.Linear(3, dim)
        self.outer = nn.Linear(dim, 3)
        for p in self.parameters():
            nn.init.constant_(p, 0.2)

    def encode(self, x):
        return torch.tanh(self.inner(x))

    def decode(self, h):
        return self.outer(h)


class Noisy(Autoencoder):
    def encode(self, x):
        return F.dropout(super().encode(x), 0.0, self.training)


def run(model: nn.Module, x):
    codes = model.encode(x)
    return model.decode(codes)


def fit(model: nn.Module, x):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for step in range(3):
        loss = F.mse_loss(run(model, x), x)
        opt.zero_grad()
        loss.backward()
        opt.step()
        print(step, f"{loss.item():.4f}")


x = torch.linspace(-1, 1, 12).view(4, 3)
for make in (Autoencoder, Noisy):
    fit(make(4), x)
