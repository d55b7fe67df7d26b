"""Losses of which a part was computed before the step, with steps of other models between: the gradient goes on into it."""

import itertools

import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim


class Generator(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 8)
        self.bn = nn.BatchNorm1d(8)
        self.out = nn.Linear(8, 3)

    def forward(self, z):
        return self.out(torch.tanh(self.bn(self.fc(z).sin())))


class Net(nn.Module):
    def __init__(self, a, b):
        super().__init__()
        self.fc = nn.Linear(a, 8)
        self.out = nn.Linear(8, b)
        self.register_buffer("scale", torch.tensor(1.5))

    def forward(self, x):
        return self.out(torch.tanh(self.fc(x))) * self.scale


def fill(m):
    with torch.no_grad():
        for p in m.parameters():
            p.copy_(torch.linspace(-0.5, 1.0, p.numel()).sin().view_as(p))
    return m


def show(*values):
    print(*[f"{float(v):.5f}" for v in values])


bce = nn.BCEWithLogitsLoss()
data = torch.linspace(-1, 1, 4 * 6 * 3).view(4, 6, 3)
noises = torch.linspace(1, -1, 4 * 6 * 4).view(4, 6, 4).cos()
ones, zeros = torch.ones(6, 1), torch.zeros(6, 1)

# two passes through the discriminator, numbers read between, one label that changes
netG, netD = fill(Generator()), fill(Net(3, 1))
optD = optim.Adam(netD.parameters(), lr=0.01, betas=(0.5, 0.999))
optG = optim.Adam(netG.parameters(), lr=0.01, betas=(0.5, 0.999))
for i in range(4):
    netD.zero_grad()
    label = torch.full((6, 1), 1.0)
    output = netD(data[i])
    errD_real = bce(output, label)
    errD_real.backward()
    D_x = output.mean().item()
    fake = netG(noises[i])
    label.fill_(0.0)
    output = netD(fake.detach())
    errD_fake = bce(output, label)
    errD_fake.backward()
    optD.step()
    netG.zero_grad()
    label.fill_(1.0)
    output = netD(fake)
    errG = bce(output, label)
    errG.backward()
    D_G_z2 = output.mean().item()
    optG.step()
    show(errD_real + errD_fake, errG.item(), D_x, D_G_z2)
print(list(netG.state_dict()), int(netG.bn.num_batches_tracked))


# between the two halves of the discriminator's loss; changed in place; used by another pass of what is trained
def train(G, D, steps):
    opt_g = optim.SGD(G.parameters(), lr=0.1, momentum=0.9)
    opt_d = optim.RMSprop(D.parameters(), lr=0.01)
    for i in range(steps):
        opt_d.zero_grad()
        real_loss = bce(D(data[i]), ones)
        fake = G(noises[i])
        if i % 2:
            fake = fake * 0.5
        fake.clamp_(-0.9, 0.9)
        fake_loss = bce(D(fake.detach()), zeros)
        d_loss = (real_loss + fake_loss) / 2
        d_loss.backward()
        opt_d.step()
        for p in D.parameters():
            p.data.clamp_(-0.5, 0.5)
        if i != 1:
            opt_g.zero_grad()
            g_loss = -D(fake).mean() + (G(noises[i] * 0.5) - fake).pow(2).mean()
            g_loss.backward()
            torch.nn.utils.clip_grad_norm_(G.parameters(), 0.5)
            opt_g.step()
            show(g_loss.item())
        show(d_loss.item())


netG, netD = fill(Generator()), fill(Net(3, 1))
train(netG, netD, 4)

# two models of one optimizer, two variables that bring their graphs, one of which was computed from the other
enc, dec, disc = fill(Net(3, 4)), fill(Net(4, 3)), fill(Net(4, 1))
opt_ae = optim.Adam(itertools.chain(enc.parameters(), dec.parameters()), lr=0.01)
opt_disc = optim.Adam(disc.parameters(), lr=0.01)
for i in range(4):
    z = enc(data[i])
    recon = dec(z)
    opt_disc.zero_grad()
    d_loss = bce(disc(noises[i]), ones) + bce(disc(z.detach()), zeros)
    d_loss.backward()
    opt_disc.step()
    opt_ae.zero_grad()
    loss = F.mse_loss(recon, data[i]) + 0.1 * bce(disc(z), ones)
    loss.backward()
    opt_ae.step()
    show(d_loss.item(), loss.item())


# the graph is kept, and used by two passes; tensors in a list
class Trainer:
    def __init__(self, G, D):
        self.G, self.D = G, D
        self.opt_g = optim.Adam(self.G.parameters(), lr=0.01)
        self.opt_d = optim.Adam(self.D.parameters(), lr=0.01)

    def step(self, x, z):
        fake = self.G(z)
        samples = [fake, fake * 0.5]
        self.opt_d.zero_grad()
        d_loss = bce(self.D(x), ones) + bce(self.D(fake.detach()), zeros)
        d_loss.backward()
        self.opt_d.step()
        self.opt_g.zero_grad()
        g_loss = bce(self.D(samples[0]), ones)
        g_loss.backward(retain_graph=True)
        closeness = (samples[1] - x).abs().mean()
        closeness.backward()
        self.opt_g.step()
        return d_loss.item(), g_loss.item(), closeness.item()


trainer = Trainer(fill(Net(4, 3)), fill(Net(3, 1)))
for i in range(4):
    show(*trainer.step(data[i], noises[i]))
