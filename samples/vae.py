"""A variational autoencoder for small binary images of bars."""

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import optim
from torch.utils.data import DataLoader, TensorDataset


class VAE(nn.Module):
    def __init__(self, input_dim=64, hidden_dim=32, latent_dim=4):
        super(VAE, self).__init__()
        self.latent_dim = latent_dim
        self.fc1 = nn.Linear(input_dim, hidden_dim)
        self.fc21 = nn.Linear(hidden_dim, latent_dim)
        self.fc22 = nn.Linear(hidden_dim, latent_dim)
        self.fc3 = nn.Linear(latent_dim, hidden_dim)
        self.fc4 = nn.Linear(hidden_dim, input_dim)

    def encode(self, x):
        h1 = F.relu(self.fc1(x))
        return self.fc21(h1), self.fc22(h1)

    def reparameterize(self, mu, logvar):
        std = torch.exp(0.5 * logvar)
        eps = torch.randn_like(std)
        return mu + eps * std

    def decode(self, z):
        h3 = F.relu(self.fc3(z))
        return torch.sigmoid(self.fc4(h3))

    def forward(self, x):
        mu, logvar = self.encode(x.view(-1, 64))
        z = self.reparameterize(mu, logvar)
        return self.decode(z), mu, logvar


def loss_function(recon_x, x, mu, logvar):
    """Reconstruction error plus Kullback-Leibler divergence, summed over elements and batch."""
    BCE = F.binary_cross_entropy(recon_x, x.view(-1, 64), reduction="sum")
    # 0.5 * sum(1 + log(sigma^2) - mu^2 - sigma^2)
    KLD = -0.5 * torch.sum(1 + logvar - mu.pow(2) - logvar.exp())
    return BCE + KLD


def make_bars(n, size=8):
    """Binary images with one horizontal and one vertical bar each."""
    rows = torch.randint(size, (n,))
    columns = torch.randint(size, (n,))
    images = torch.zeros(n, 1, size, size)
    index = torch.arange(n)
    images[index, 0, rows] = 1.0
    images[index, 0, :, columns] = 1.0
    return images


def train(epoch, model, optimizer, train_loader):
    """Returns the mean loss per image of every step."""
    model.train()
    losses = []
    for batch_idx, (data,) in enumerate(train_loader):
        optimizer.zero_grad()
        recon_batch, mu, logvar = model(data)
        loss = loss_function(recon_batch, data, mu, logvar)
        loss.backward()
        optimizer.step()
        losses.append(loss.item() / len(data))
    print(f"====> Epoch: {epoch} Average loss: {sum(losses) / len(losses):.4f}")
    return losses


def test(model, test_loader):
    model.eval()
    test_loss = 0
    with torch.no_grad():
        for (data,) in test_loader:
            recon_batch, mu, logvar = model(data)
            test_loss += loss_function(recon_batch, data, mu, logvar).item()
    test_loss /= len(test_loader.dataset)
    print(f"====> Test set loss: {test_loss:.4f}")


def main():
    torch.manual_seed(1)
    train_loader = DataLoader(TensorDataset(make_bars(256)), batch_size=32, shuffle=True)
    test_loader = DataLoader(TensorDataset(make_bars(64)), batch_size=64, shuffle=False)

    model = VAE()
    optimizer = optim.Adam(model.parameters(), lr=5e-3)
    losses = []
    for epoch in range(1, 4):
        losses.extend(train(epoch, model, optimizer, train_loader))
        test(model, test_loader)

    with torch.no_grad():
        sample = model.decode(torch.randn(16, model.latent_dim))
        print(f"mean brightness of samples: {sample.mean().item():.3f}")
    return losses


if __name__ == "__main__":
    main()
