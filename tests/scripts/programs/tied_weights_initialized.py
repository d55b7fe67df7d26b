# also: nnx
"""Weights that are tied before the parameters are given their first values, by rules for their names."""

import math

import torch
import torch.nn as nn


class Block(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.w1 = nn.Linear(dim, 2 * dim, bias=False)
        self.w3 = nn.Linear(2 * dim, dim)

    def forward(self, x):
        return x + self.w3(torch.tanh(self.w1(x)))


class Model(nn.Module):
    def __init__(self, n, dim):
        super().__init__()
        self.tok = nn.Embedding(n, dim)
        self.layers = nn.ModuleList()
        for _ in range(2):
            self.layers.append(Block(dim))
        self.output = nn.Linear(dim, n, bias=False)
        self.tok.weight = self.output.weight
        self.apply(self._init)
        for name, p in self.named_parameters():
            if name.endswith("w3.weight"):
                nn.init.constant_(p, 0.2 / math.sqrt(2))
            elif name == "tok.weight":
                p.data.copy_(torch.linspace(-1, 1, p.numel()).view_as(p))
        with torch.no_grad():
            for p in self.parameters():
                p.add_(0.01)

    def _init(self, module):
        if isinstance(module, nn.Linear):
            nn.init.constant_(module.weight, 0.05)
            if module.bias is not None:
                nn.init.zeros_(module.bias)
        elif isinstance(module, nn.Embedding):
            nn.init.normal_(module.weight, mean=0.0, std=0.02)

    def forward(self, tokens):
        h = self.tok(tokens)
        for layer in self.layers:
            h = layer(h)
        return self.output(h)


model = Model(7, 4)
tokens = torch.tensor([[1, 2, 3], [4, 5, 6]])
print(model(tokens).sum().item(), len(list(model.parameters())))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(3):
    loss = nn.functional.cross_entropy(model(tokens).view(-1, 7), tokens.view(-1))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(round(loss.item(), 5))
print(model(tokens).abs().sum().item())
