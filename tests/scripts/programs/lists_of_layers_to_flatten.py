# also: nnx, linen
"""Lists of recurrent layers that are kept for the layout of their weights, and lists that are read for more."""

import torch
import torch.nn as nn


def fill(model):
    with torch.no_grad():
        for k, p in enumerate(model.parameters()):
            p.copy_(torch.sin(torch.arange(p.numel(), dtype=torch.float32) + k).view(p.shape) * 0.3)


class Vocoder(nn.Module):
    def __init__(self):
        super().__init__()
        self._to_flatten = []
        self.rnn1 = nn.GRU(3, 4, batch_first=True)
        self.rnn2 = nn.GRU(4, 4, batch_first=True)
        self._to_flatten += [self.rnn1, self.rnn2]
        self.fc = nn.Linear(4, 2)
        self._flatten_parameters()

    def forward(self, x):
        self._flatten_parameters()
        h, _ = self.rnn1(x)
        h, _ = self.rnn2(h)
        return self.fc(h)

    def _flatten_parameters(self):
        """Lays out the weights of all layers."""
        [m.flatten_parameters() for m in self._to_flatten]


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(3, 4)
        self.rnns = [self.lstm]
        self.top = nn.LSTM(4, 4)
        self.rnns.append(self.top)

    def forward(self, x):
        for rnn in self.rnns:
            rnn.flatten_parameters()
        h, _ = self.lstm(x)
        return self.top(h)[0]


for model in (Vocoder(), Encoder()):
    fill(model)
    x = torch.cos(torch.arange(24.0)).view(2, 4, 3).requires_grad_()
    y = model(x)
    y.sum().backward()
    print(tuple(y.shape), round(y.sum().item(), 4), round(x.grad.abs().sum().item(), 4))
