"""Two players with batch normalization: both keep state in one step, and one sees what the other made without a gradient."""

import torch
import torch.nn as nn


class Generator(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 4, bias=False)
        self.norm = nn.BatchNorm1d(4, momentum=0.3)
        self.out = nn.Linear(4, 3)

    def forward(self, z):
        return torch.tanh(self.out(torch.relu(self.norm(self.fc(z)))))


class Discriminator(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 4, bias=False)
        self.norm = nn.BatchNorm1d(4)
        self.out = nn.Linear(4, 1)

    def forward(self, x):
        return torch.sigmoid(self.out(nn.functional.leaky_relu(self.norm(self.fc(x)), 0.2)))


def fill(m):
    with torch.no_grad():
        for p in m.parameters():
            p.copy_(torch.cos(torch.arange(p.numel()) * 1.0).view_as(p))


def show(m):
    print([round(float(v), 4) for p in m.parameters() for v in p.detach().flatten()])
    print([round(v, 4) for v in m.norm.running_mean.tolist() + m.norm.running_var.tolist()])


generator, discriminator = Generator(), Discriminator()
fill(generator)
fill(discriminator)
loss = nn.BCELoss()
optimizer_g = torch.optim.SGD(generator.parameters(), lr=0.05, momentum=0.5)
optimizer_d = torch.optim.Adam(discriminator.parameters(), lr=0.02, betas=(0.5, 0.999))
X = torch.linspace(-1, 1, 72).view(6, 4, 3)
for i, real in enumerate(X):
    valid, fake = torch.ones(4, 1), torch.zeros(4, 1)
    optimizer_g.zero_grad()
    z = torch.cos(torch.arange(8.0) * (i + 1)).view(4, 2)
    made = generator(z)
    g_loss = loss(discriminator(made), valid)
    g_loss.backward()
    optimizer_g.step()
    optimizer_d.zero_grad()
    real_loss = loss(discriminator(real), valid)
    fake_loss = loss(discriminator(made.detach()), fake)
    d_loss = (real_loss + fake_loss) / 2
    d_loss.backward()
    optimizer_d.step()
    print(round(g_loss.item(), 4), round(d_loss.item(), 4), round(made.mean().item(), 4))
show(generator)
show(discriminator)


class Game:
    def __init__(self):
        self.one, self.two = Generator(), Discriminator()
        fill(self.one)
        fill(self.two)
        self.opt = torch.optim.SGD(self.one.parameters(), lr=0.1)

    def train(self, z):
        score = self.two(self.one(z))
        cost = loss(score, torch.ones_like(score))
        self.opt.zero_grad()
        cost.backward()
        self.opt.step()
        return cost


game = Game()
for i in range(4):
    print(round(game.train(torch.cos(torch.arange(8.0) * (i + 1)).view(4, 2)).item(), 4))
show(game.one)
show(game.two)
