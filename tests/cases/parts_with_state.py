"""Parts of modules with state that become parts of others: Equinox keeps what they hold in the state of the first whole."""

import torch.nn as nn


class Auto(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(3, 2), nn.BatchNorm1d(2))
        self.decoder = nn.Linear(2, 3)

    def forward(self, x):
        return self.decoder(self.encoder(x))


class Head(nn.Module):
    def __init__(self, encoder):
        super().__init__()
        self.encoder = encoder

    def forward(self, x):
        return self.encoder(x) * 2


auto = Auto()
head = Head(auto.encoder)  # T2J604
features = nn.Sequential(*list(auto.children())[:-1])  # T2J604
body = nn.Sequential(auto.encoder, nn.ReLU())  # T2J604
plain = nn.Sequential(auto.decoder, nn.ReLU())
