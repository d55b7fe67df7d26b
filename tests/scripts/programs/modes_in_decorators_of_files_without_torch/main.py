# also: nnx, linen
"""A decorator that evaluates modules for a while lies in a file that does not name torch."""

import torch
import torch.nn as nn

import utils


class Decoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 4)
        self.drop = nn.Dropout(0.5)

    @torch.no_grad()
    @utils.eval_decorator
    def generate(self, x, n=1):
        for _ in range(n):
            x = self(x)
        return x

    def forward(self, x):
        return self.drop(self.fc(x))


class Both(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Linear(4, 4)
        self.decoder = Decoder()

    @torch.no_grad()
    def generate(self, x, n):
        x = self.encoder(x)
        return self.decoder.generate(x, n)

    def forward(self, x):
        return self.decoder(self.encoder(x))


g = Both()
for p in g.parameters():
    nn.init.constant_(p, 0.1)
print(g.generate(torch.ones(2, 4), 2).sum().item(), g.training)
g.eval()
print(g.generate(torch.ones(2, 4), 2).sum().item(), g.training, g.decoder.training)
