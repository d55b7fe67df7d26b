# also: nnx
"""Layers that are asked of torch by a name that only the program knows: what they are made with, or a part of the name, says which they may be."""

import torch
import torch.nn as nn
import torch.nn.functional as F


def fill(model):
    with torch.no_grad():
        for number, p in enumerate(model.parameters()):
            p.copy_(torch.linspace(-0.4, 0.5, p.numel()).reshape(p.shape) * (1 + 0.1 * number))


class Language(nn.Module):
    def __init__(self, kind, inputs, hidden, layers, dropout=0.0):
        super().__init__()
        self.kind, self.hidden, self.layers = kind, hidden, layers
        if kind in ["LSTM", "GRU"]:
            self.rnn = getattr(nn, kind)(inputs, hidden, layers, dropout=dropout)
        else:
            nonlinearity = {"RNN_TANH": "tanh", "RNN_RELU": "relu"}[kind]
            self.rnn = nn.RNN(inputs, hidden, layers, nonlinearity=nonlinearity, dropout=dropout)
        self.out = nn.Linear(hidden, 2)

    def forward(self, x, hidden):
        h, hidden = self.rnn(x, hidden)
        return self.out(h), hidden

    def init_hidden(self, size):
        weight = next(self.parameters())
        if self.kind == "LSTM":
            return weight.new_zeros(self.layers, size, self.hidden), weight.new_zeros(self.layers, size, self.hidden)
        return weight.new_zeros(self.layers, size, self.hidden)


class Encoder(nn.Module):
    def __init__(self, cell, inputs, hidden, bidirectional=False):
        super().__init__()
        rnn_class = getattr(nn, cell.upper())
        self.rnn = rnn_class(inputs, hidden, num_layers=1, bidirectional=bidirectional, batch_first=True)
        self.out = nn.Linear(hidden * (2 if bidirectional else 1), 2)

    def forward(self, x):
        h, _ = self.rnn(x)
        return self.out(h[:, -1])


class Block(nn.Module):
    def __init__(self, dim, inputs, outputs):
        super().__init__()
        self.conv = getattr(nn, f"Conv{dim}d")(inputs, outputs, 3, padding=1)
        self.norm = getattr(nn, "BatchNorm%dd" % dim)(outputs)

    def forward(self, x):
        return F.relu(self.norm(self.conv(x)))


x = torch.linspace(-1, 1, 24).reshape(3, 2, 4)
for kind in ["LSTM", "GRU", "RNN_TANH"]:
    model = Language(kind, 4, 5, 2)
    fill(model)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    hidden = model.init_hidden(2)
    for _ in range(3):
        hidden = tuple(h.detach() for h in hidden) if kind == "LSTM" else hidden.detach()
        out, hidden = model(x, hidden)
        loss = out.square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(kind, round(loss.item(), 5))

for cell in ["lstm", "gru", "rnn"]:
    encoder = Encoder(cell, 4, 5, True)
    fill(encoder)
    print(cell, round(encoder(x).sum().item(), 4))

for dim in (1, 2):
    block = Block(dim, 2, 3)
    fill(block)
    data = torch.linspace(-1, 1, 4 * 4**dim).reshape(2, 2, *([4] * dim))
    block(data)
    block.eval()
    print(dim, round(block(data).sum().item(), 4))
