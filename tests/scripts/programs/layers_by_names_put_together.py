# also: nnx, linen
"""A layer that is asked for by a name which a variable holds, put together before."""

import torch
import torch.nn as nn


class M(nn.Module):
    def __init__(self, rnn_type, n, cells):
        super().__init__()
        if not cells:
            if rnn_type in ["LSTM", "GRU"]:
                self.rnn = getattr(nn, rnn_type)(3, 4, n)
            else:
                nonlinearity = {"RNN_TANH": "tanh", "RNN_RELU": "relu"}[rnn_type]
                self.rnn = nn.RNN(3, 4, n, nonlinearity=nonlinearity)
        else:
            if rnn_type in ["LSTM", "GRU"]:
                rnn_type = str(rnn_type) + "Cell"
                parts = []
                for i in range(n):
                    parts.append(getattr(nn, rnn_type)(3 if i == 0 else 4, 4))
                self.rnn = nn.ModuleList(parts)
            else:
                raise ValueError("no")
        self.rnn_type = rnn_type

    def forward(self, x):
        if isinstance(self.rnn, nn.ModuleList):
            for cell in self.rnn:
                x = cell(x)
            return x
        return self.rnn(x)[0]


torch.manual_seed(0)
m = M("GRU", 2, True)
for p in m.parameters():
    p.data.copy_(torch.linspace(-1, 1, p.numel()).view(p.shape))
print(m(torch.ones(2, 3)).sum().item(), m.rnn_type)
m = M("GRU", 2, False)
for p in m.parameters():
    p.data.copy_(torch.linspace(-1, 1, p.numel()).view(p.shape))
print(m(torch.ones(2, 1, 3)).sum().item())
