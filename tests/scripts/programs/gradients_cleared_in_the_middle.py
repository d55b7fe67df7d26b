# also: nnx, linen
"""Gradients of several optimizers that are emptied between a loss and its `backward()`."""

import torch
from torch import nn


class Trainer:
    def __init__(self, kind):
        self.kind = kind
        self.G = nn.Linear(2, 3)
        self.D = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
        for net in (self.G, self.D):
            for number, p in enumerate(net.parameters()):
                nn.init.constant_(p, 0.2 + 0.1 * number)
        self.g_optimizer = torch.optim.Adam(filter(lambda p: p.requires_grad, self.G.parameters()), 0.01, [0.5, 0.9])
        self.d_optimizer = torch.optim.Adam(filter(lambda p: p.requires_grad, self.D.parameters()), 0.02, [0.5, 0.9])

    def reset_grad(self):
        self.d_optimizer.zero_grad()
        self.g_optimizer.zero_grad()

    def train(self):
        z = torch.linspace(-1, 1, 8).reshape(4, 2)
        for step in range(4):
            real = torch.linspace(-1, 1, 12).reshape(4, 3) + step
            d_out_real = self.D(real)
            if self.kind == "wgan":
                d_loss_real = -torch.mean(d_out_real)
            elif self.kind == "hinge":
                d_loss_real = torch.nn.ReLU()(1.0 - d_out_real).mean()
            fake = self.G(z)
            d_loss = d_loss_real + self.D(fake).mean()
            self.reset_grad()
            d_loss.backward()
            self.d_optimizer.step()
            g_loss = -self.D(self.G(z)).mean()
            self.reset_grad()
            g_loss.backward()
            self.g_optimizer.step()
            print(d_loss.item(), g_loss.item(), d_loss_real.item())


def both():
    """The second pass adds to the gradients that the first one has left."""
    G, D = nn.Linear(2, 3), nn.Linear(3, 1)
    for net in (G, D):
        for p in net.parameters():
            nn.init.constant_(p, 0.3)
    g_optimizer = torch.optim.SGD(G.parameters(), lr=0.1)
    d_optimizer = torch.optim.SGD(D.parameters(), lr=0.1)
    z = torch.linspace(-1, 1, 8).reshape(4, 2)
    for _ in range(3):
        d_loss = (D(G(z)) ** 2).mean()
        g_optimizer.zero_grad()
        d_optimizer.zero_grad()
        d_loss.backward()
        d_optimizer.step()
        g_loss = -D(G(z)).mean()
        g_loss.backward()
        g_optimizer.step()
        print(d_loss.item(), g_loss.item(), G.weight.sum().item(), D.weight.sum().item())


if __name__ == "__main__":
    Trainer("wgan").train()
    Trainer("hinge").train()
    both()
