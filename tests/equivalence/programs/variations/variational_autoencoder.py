# expect: equal
"""A variational autoencoder whose posterior and prior are distributions; the module keeps the prior."""

import torch
import torch.distributions as D
import torch.nn as nn
from torch.distributions import Normal, kl_divergence


class VAE(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Linear(8, 16)
        self.decoder = nn.Linear(4, 8)
        self.to_mean = nn.Linear(16, 4)
        self.to_log_std = nn.Linear(16, 4)
        self.prior = D.Independent(D.Normal(torch.zeros(4), torch.ones(4)), 1)

    def encode(self, x):
        hidden = torch.relu(self.encoder(x))
        return D.Independent(Normal(self.to_mean(hidden), self.to_log_std(hidden).exp()), 1)

    def forward(self, x):
        posterior = self.encode(x)
        z = posterior.rsample()
        reconstruction = Normal(self.decoder(z), 0.5)
        return reconstruction, kl_divergence(posterior, self.prior)


def negative_elbo(reconstruction: Normal, divergence: torch.Tensor, x: torch.Tensor):
    return (divergence - reconstruction.log_prob(x).sum(-1)).mean()


def main():
    torch.manual_seed(0)
    model = VAE()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    losses = []
    for step in range(5):
        x = torch.randn(16, 8)
        reconstruction, divergence = model(x)
        loss = negative_elbo(reconstruction, divergence, x)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
        print(f"{step} {losses[-1]:.4f}")
    print(model.prior.mean.tolist())
    return losses


if __name__ == "__main__":
    main()
