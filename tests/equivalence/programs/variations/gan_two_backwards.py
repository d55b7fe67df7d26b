# expect: equal
"""The discriminator's gradients come from two calls of backward()."""

import torch
import torch.nn as nn


def main():
    torch.manual_seed(0)
    netG = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))
    netD = nn.Sequential(nn.Linear(2, 8), nn.LeakyReLU(0.2), nn.Linear(8, 1))
    criterion = nn.BCEWithLogitsLoss()
    optimizerD = torch.optim.Adam(netD.parameters(), lr=0.01)
    optimizerG = torch.optim.Adam(netG.parameters(), lr=0.01)
    data = torch.randn(64, 2) + 2.0
    ones, zeros = torch.ones(16, 1), torch.zeros(16, 1)
    for i in range(0, 64, 16):
        netD.zero_grad()
        errD_real = criterion(netD(data[i : i + 16]), ones)
        errD_real.backward()
        fake = netG(torch.randn(16, 4))
        errD_fake = criterion(netD(fake.detach()), zeros)
        errD_fake.backward()
        optimizerD.step()

        netG.zero_grad()
        errG = criterion(netD(fake), ones)
        errG.backward()
        optimizerG.step()
        print(f"{errD_real.item() + errD_fake.item():.4f} {errG.item():.4f}")


if __name__ == "__main__":
    main()
