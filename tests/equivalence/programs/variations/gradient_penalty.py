# expect: equal
"""The critic of a Wasserstein GAN with a penalty on the norm of its gradient, written into the loop and as a function."""

import torch
import torch.nn as nn


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(3, 16), nn.LeakyReLU(0.2), nn.Linear(16, 1))

    def forward(self, x):
        return self.net(x)


def gradient_penalty(critic, real, fake, weight):
    mixed = (weight * real + (1 - weight) * fake).requires_grad_(True)
    scores = critic(mixed)
    gradients = torch.autograd.grad(
        outputs=scores,
        inputs=mixed,
        grad_outputs=torch.ones_like(scores),
        create_graph=True,
        retain_graph=True,
    )[0]
    return ((gradients.norm(2, dim=1) - 1) ** 2).mean()


def main():
    torch.manual_seed(0)
    critic = Critic()
    optimizer = torch.optim.SGD(critic.parameters(), lr=0.05)
    weight = torch.linspace(0, 1, 6).unsqueeze(1)
    for step in range(6):
        real = torch.arange(18).float().reshape(6, 3) / 9 - step / 10
        fake = torch.cos(real * 3)
        optimizer.zero_grad()
        loss = critic(fake).mean() - critic(real).mean() + 10 * gradient_penalty(critic, real, fake, weight)
        loss.backward()
        optimizer.step()
        print(f"{loss.item():.4f}")
    for step in range(4):
        real = torch.arange(18).float().reshape(6, 3) / 9 + step / 10
        optimizer.zero_grad()
        mixed = (real * 0.7 + 0.1).requires_grad_(True)
        scores = critic(mixed)
        gradients = torch.autograd.grad(scores.sum(), mixed, create_graph=True)[0]
        loss = scores.mean() + ((gradients.norm(2, dim=1) - 1) ** 2).mean()
        loss.backward()
        optimizer.step()
        print(f"{loss.item():.4f}")


if __name__ == "__main__":
    main()
