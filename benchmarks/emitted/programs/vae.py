"""A variational autoencoder that draws in its forward pass, trained by Adam."""

import argparse
import json
import time

import torch
import torch.nn.functional as F
from torch import nn


class VAE(nn.Module):
    def __init__(self, hidden: int, latent: int):
        super().__init__()
        self.fc1 = nn.Linear(784, hidden)
        self.fc_mu = nn.Linear(hidden, latent)
        self.fc_logvar = nn.Linear(hidden, latent)
        self.fc3 = nn.Linear(latent, hidden)
        self.fc4 = nn.Linear(hidden, 784)

    def forward(self, x):
        h = F.relu(self.fc1(x))
        mu, logvar = self.fc_mu(h), self.fc_logvar(h)
        std = torch.exp(0.5 * logvar)
        z = mu + torch.randn_like(std) * std
        return torch.sigmoid(self.fc4(F.relu(self.fc3(z)))), mu, logvar


def train(model: nn.Module, optimizer: torch.optim.Optimizer, x: torch.Tensor, steps: int) -> float:
    model.train()
    for _ in range(steps):
        optimizer.zero_grad()
        output, mu, logvar = model(x)
        reconstruction = F.binary_cross_entropy(output, x, reduction="sum")
        divergence = -0.5 * torch.sum(1 + logvar - mu.pow(2) - logvar.exp())
        loss = reconstruction + divergence
        loss.backward()
        optimizer.step()
    return loss.item()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--batch", type=int, default=256)
    parser.add_argument("--width", type=int, default=512)
    args = parser.parse_args()

    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    torch.manual_seed(0)
    x = torch.rand(args.batch, 784, device=device)
    model = VAE(args.width, 32).to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)

    start = time.perf_counter()
    train(model, optimizer, x, 1)
    first = time.perf_counter() - start
    train(model, optimizer, x, 10)
    start = time.perf_counter()
    loss = train(model, optimizer, x, args.steps)
    step = (time.perf_counter() - start) / args.steps
    print(json.dumps({"first": first, "step": step, "loss": loss}))


if __name__ == "__main__":
    main()
