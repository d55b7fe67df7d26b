# expect: equal
"""Two models and two optimizers; each step makes its own images."""

import torch
import torch.nn as nn


class Generator(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))

    def forward(self, z):
        return self.net(z)


class Discriminator(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2, 8), nn.LeakyReLU(0.2), nn.Linear(8, 1))

    def forward(self, x):
        return self.net(x)


def main():
    torch.manual_seed(0)
    netG, netD = Generator(), Discriminator()
    criterion = nn.BCEWithLogitsLoss()
    optimizerD = torch.optim.Adam(netD.parameters(), lr=0.01, betas=(0.5, 0.999))
    optimizerG = torch.optim.Adam(netG.parameters(), lr=0.01, betas=(0.5, 0.999))
    data = torch.randn(64, 2) + 2.0
    history = []
    for i in range(0, 64, 16):
        real = data[i : i + 16]
        ones, zeros = torch.ones(16, 1), torch.zeros(16, 1)
        optimizerD.zero_grad()
        fake = netG(torch.randn(16, 4))
        lossD = criterion(netD(real), ones) + criterion(netD(fake.detach()), zeros)
        lossD.backward()
        optimizerD.step()

        optimizerG.zero_grad()
        fake = netG(torch.randn(16, 4))
        lossG = criterion(netD(fake), ones)
        lossG.backward()
        optimizerG.step()
        history.append((lossD.item(), lossG.item()))
        print(f"D {lossD.item():.4f} G {lossG.item():.4f}")
    return [d for d, g in history]


if __name__ == "__main__":
    main()
