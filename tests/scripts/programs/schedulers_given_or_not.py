# also: nnx, linen
"""Functions and trainers that take a scheduler or none: of optimizers that have one, and of others that have none."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.optim.lr_scheduler import ExponentialLR, ReduceLROnPlateau, StepLR

torch.manual_seed(0)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 2)
        with torch.no_grad():
            self.fc.weight.copy_(torch.arange(6.0).reshape(2, 3) / 6)
            self.fc.bias.fill_(0.1)

    def forward(self, x):
        return self.fc(x)


x = torch.arange(12.0).reshape(4, 3) / 12
y = torch.arange(8.0).reshape(4, 2) / 8


def train(model, optimizer, scheduler=None, epochs=4):
    for _ in range(epochs):
        optimizer.zero_grad()
        loss = F.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
        if scheduler is not None:
            scheduler.step()
        print(f"{loss.item():.5f}")


net = Net()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
train(net, optimizer, StepLR(optimizer, 2, 0.1))
net = Net()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
train(net, optimizer)
other = Net()
adam = torch.optim.Adam(other.parameters(), lr=0.05)
train(other, adam, scheduler=ExponentialLR(adam, gamma=0.5), epochs=3)


class Trainer:
    def __init__(self, model, optimizer, scheduler=None):
        self.model, self.optimizer, self.scheduler = model, optimizer, scheduler

    def fit(self, epochs):
        for _ in range(epochs):
            self.optimizer.zero_grad()
            loss = F.mse_loss(self.model(x), y)
            loss.backward()
            self.optimizer.step()
            if self.scheduler is not None:
                self.scheduler.step(1.0)
            print(f"{loss.item():.5f}")


def compare():
    first, second = Net(), Net()
    halved = torch.optim.SGD(first.parameters(), lr=0.1, momentum=0.9)
    plain = torch.optim.SGD(second.parameters(), lr=0.1, momentum=0.9)
    Trainer(first, halved, ReduceLROnPlateau(halved, factor=0.5, patience=0)).fit(4)
    Trainer(second, plain).fit(4)


compare()


def fit_both(gen, disc, gen_opt, disc_opt, gen_sched, disc_sched):
    for _ in range(3):
        disc_opt.zero_grad()
        loss = F.mse_loss(disc(x), y)
        loss.backward()
        disc_opt.step()
        gen_opt.zero_grad()
        gen_loss = (gen(x) * disc(x).detach()).mean()
        gen_loss.backward()
        gen_opt.step()
        if gen_sched is not None:
            gen_sched.step()
        if disc_sched is not None:
            disc_sched.step()
        print(f"{loss.item():.5f} {gen_loss.item():.5f}")


def run(decays_gen, decays_disc):
    gen, disc = Net(), Net()
    gen_opt = torch.optim.SGD(gen.parameters(), lr=0.1)
    disc_opt = torch.optim.SGD(disc.parameters(), lr=0.2)
    gen_sched = StepLR(gen_opt, 1, 0.5) if decays_gen else None
    disc_sched = StepLR(disc_opt, 1, 0.1) if decays_disc else None
    fit_both(gen, disc, gen_opt, disc_opt, gen_sched, disc_sched)


run(True, False)
run(False, True)
run(False, False)
