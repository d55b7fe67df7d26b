import torch.nn as nn


class Model(nn.Module):
    def __init__(self, tie, wide, plain):
        super().__init__()
        self.encoder = nn.Embedding(7, 4)
        self.wide = wide
        self.plain = plain
        self.decoder = nn.Linear(4, 7)
        if wide:
            if tie:
                self.decoder.weight = self.encoder.weight
        self.init_weights()

    def init_weights(self):
        self.encoder.weight.data.uniform_(-0.1, 0.1)
        if self.plain:
            self.decoder.weight.data.uniform_(-0.1, 0.1)  # T2J604

    def forward(self, x):
        return self.decoder(self.encoder(x))


class Other(nn.Module):
    def __init__(self, tie, wide):
        super().__init__()
        self.encoder = nn.Embedding(7, 4)
        self.wide = wide
        self.decoder = nn.Linear(4, 7)
        if wide:
            if tie:
                self.decoder.weight = self.encoder.weight
        self.wide = wide and tie
        self.init_weights()

    def init_weights(self):
        self.encoder.weight.data.uniform_(-0.1, 0.1)
        if self.wide:
            self.decoder.weight.data.uniform_(-0.1, 0.1)  # T2J604

    def forward(self, x):
        return self.decoder(self.encoder(x))
