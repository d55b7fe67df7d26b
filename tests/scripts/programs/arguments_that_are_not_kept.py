# also: linen
"""Modules and functions that keep something of their own, or of a tensor's size and device, and not the tensor they are given."""

import torch
import torch.nn as nn


class Model(nn.Module):
    def __init__(self, size, width):
        super().__init__()
        self.embed = nn.Embedding(size, width)
        self.out = nn.Linear(width, size)
        self.positions = torch.linspace(0, 1, 8)
        self.last = 0
        with torch.no_grad():
            for p in self.parameters():
                p.copy_(torch.sin(torch.arange(p.numel()) * 1.3 + p.dim()).view_as(p))

    def forward(self, tokens):
        h = self.embed(tokens)
        self.positions = self.positions.to(h.device)
        return self.out(h + self.positions[: h.shape[1], None])


def generate(model, prompt, length):
    tokens = torch.full((2, length), 0, dtype=torch.long)
    tokens[:, : prompt.shape[1]] = prompt
    for position in range(prompt.shape[1], length):
        logits = model.forward(tokens[:, :position])
        tokens[:, position] = torch.argmax(logits[:, -1], dim=-1)
    return tokens


class Log:
    def __init__(self):
        self.sizes, self.sums, self.rows, self.means = [], [], [], torch.zeros(2)

    def note(self, x):
        self.sizes.append(x.shape[0])
        self.sums.append(x.sum().item())
        self.means = x.mean(0)

    def keep(self, x):
        self.rows.append(x[0])


def noted():
    log = Log()
    x = torch.ones(3, 2)
    for i in range(3):
        log.note(x)
        x += i
    print(log.sizes, log.sums, log.means.tolist(), x.tolist())


model = Model(5, 4)
with torch.no_grad():
    print(generate(model, torch.tensor([[1, 2], [3, 4]]), 7).tolist())
noted()
