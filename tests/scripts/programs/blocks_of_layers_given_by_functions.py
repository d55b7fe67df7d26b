import numpy as np
import torch
import torch.nn as nn


class Generator(nn.Module):
    def __init__(self, latent=4, shape=(1, 3, 3)):
        super().__init__()

        def block(in_feat, out_feat, normalize=True):
            layers = [nn.Linear(in_feat, out_feat)]
            if normalize:
                layers.append(nn.BatchNorm1d(out_feat, 0.8))
            layers.append(nn.LeakyReLU(0.2, inplace=True))
            return layers

        self.shape = shape
        self.model = nn.Sequential(
            *block(latent, 6, normalize=False),
            *block(6, 8),
            nn.Linear(8, int(np.prod(shape))),
            nn.Tanh(),
        )

    def forward(self, z):
        img = self.model(z)
        return img.view(img.size(0), *self.shape)


class Discriminator(nn.Module):
    def __init__(self):
        super().__init__()

        def discriminator_block(in_filters, out_filters, bn=True):
            block = [nn.Conv2d(in_filters, out_filters, 3, 2, 1), nn.LeakyReLU(0.2, inplace=True), nn.Dropout2d(0.0)]
            if bn:
                block.append(nn.BatchNorm2d(out_filters, 0.8))
            return block

        self.model = nn.Sequential(*discriminator_block(1, 4, bn=False), *discriminator_block(4, 8))
        self.adv_layer = nn.Sequential(nn.Linear(8, 1), nn.Sigmoid())

    def forward(self, img):
        out = self.model(img)
        out = out.view(out.shape[0], -1)
        return self.adv_layer(out)


class Residual(nn.Module):
    def __init__(self, n):
        super().__init__()
        model = [nn.ReflectionPad2d(1), nn.Conv2d(1, n, 3), nn.InstanceNorm2d(n), nn.ReLU(inplace=True)]
        for _ in range(2):
            model += [nn.Conv2d(n, n, 3, padding=1), nn.ReLU(inplace=True)]
        model += [nn.Conv2d(n, 1, 3, padding=1)]
        self.model = nn.Sequential(*model)

    def forward(self, x):
        return x + self.model(x)


def fill(m):
    for i, p in enumerate(m.parameters()):
        p.data = torch.sin(torch.arange(p.numel()).float() + i).view(p.shape) * 0.5
    return m


g, d, r = fill(Generator()), fill(Discriminator()), fill(Residual(2))
z = torch.cos(torch.arange(12.0)).view(3, 4)
opt_g = torch.optim.Adam(g.parameters(), lr=0.01)
opt_d = torch.optim.Adam(d.parameters(), lr=0.01)
bce = nn.BCELoss()
real = torch.ones(3, 1, 3, 3) * 0.3
valid, fake = torch.ones(3, 1), torch.zeros(3, 1)
for i in range(3):
    opt_g.zero_grad()
    imgs = g(z)
    g_loss = bce(d(imgs), valid)
    g_loss.backward()
    opt_g.step()
    opt_d.zero_grad()
    d_loss = (bce(d(real), valid) + bce(d(imgs.detach()), fake)) / 2
    d_loss.backward()
    opt_d.step()
    print(g_loss.item(), d_loss.item())
print(r(real).sum().item(), z.sum().item(), real.sum().item())
