import torch
import torch.nn as nn


class Late(nn.Module):
    """Its optimizer does not know the second layer."""

    def __init__(self):
        super().__init__()
        self.a = nn.Linear(2, 2)
        self.opt = torch.optim.SGD(self.parameters(), lr=0.1)
        self.b = nn.Linear(2, 1)  # T2J303

    def forward(self, x):
        return self.b(self.a(x))

    def fit(self, x):
        self.opt.zero_grad()  # T2J500
        loss = self(x).pow(2).mean()
        loss.backward()  # T2J500
        self.opt.step()  # T2J500


class Given(nn.Module):
    """Others may hold its encoder, too."""

    def __init__(self, encoder):
        super().__init__()
        self.encoder = encoder
        self.out = nn.Linear(3, 1)
        self.opt = torch.optim.SGD(self.parameters(), lr=0.1)

    def forward(self, x):
        return self.out(self.encoder(x))

    def fit(self, x):
        self.opt.zero_grad()
        loss = self(x).pow(2).mean()
        loss.backward()
        self.opt.step()


class Head(nn.Module):
    """A part of another module."""

    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 1)
        self.opt = torch.optim.SGD(self.parameters(), lr=0.1)

    def forward(self, x):
        return self.fc(x)

    def fit(self, x):
        self.opt.zero_grad()  # T2J500
        loss = self(x).pow(2).mean()
        loss.backward()  # T2J500
        self.opt.step()  # T2J500


class Whole(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = Head()

    def forward(self, x):
        return self.head(x)


encoder = nn.Linear(2, 3)
one, two = Given(encoder), Given(encoder)  # T2J303
