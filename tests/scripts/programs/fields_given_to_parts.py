# also: nnx, linen
"""A field that grows in place while parts of the module are called with other fields, and fields that may be None."""

import torch
from torch import nn


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 4)

    def forward(self, memory, cum, mask):
        w = self.fc(memory) + cum.sum(1)
        if mask is not None:
            w = w.masked_fill(mask, -10.0)
        w = torch.softmax(w, 1)
        return w.sum(), w


class Decoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.att = Attention()

    def initialize(self, memory, mask):
        self.weights = memory.new_zeros(memory.shape)
        self.weights_cum = memory.new_zeros(memory.shape)
        self.memory = memory
        self.mask = mask

    def decode(self, x):
        both = torch.cat((self.weights.unsqueeze(1), self.weights_cum.unsqueeze(1)), dim=1)
        context, self.weights = self.att(self.memory + x, both, self.mask)
        self.weights_cum += self.weights
        return context, self.weights

    def forward(self, memory, mask=None):
        self.initialize(memory, mask)
        out = []
        ws = []
        while len(out) < 3:
            c, w = self.decode(1.0)
            out += [c]
            ws += [w]
        return torch.stack(out), torch.stack(ws)


m = Decoder()
with torch.no_grad():
    for p in m.parameters():
        p.copy_(torch.arange(float(p.numel())).reshape(p.shape).sin())
    for mask in (None, torch.tensor([True, False, False, False])):
        a, b = m(torch.ones(2, 4), mask)
        print(a.tolist(), b.tolist())
