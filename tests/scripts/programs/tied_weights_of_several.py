# also: nnx, linen
"""Weights that three layers share, by way of each other, in lists, or by choice; one name, the first, is that of all."""

import torch
import torch.nn as nn


class Part(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(5, 3)
        self.fc = nn.Linear(3, 3)

    def forward(self, x):
        return self.fc(self.embed(x))


class Chain(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = Part()
        self.decoder = Part()
        self.generator = nn.Linear(3, 5, bias=False)
        for i, p in enumerate(self.parameters()):
            nn.init.constant_(p, 0.1 * (i + 1))
        self.decoder.embed.weight = self.encoder.embed.weight
        self.generator.weight = self.decoder.embed.weight

    def forward(self, x):
        return self.generator(self.encoder(x) + self.decoder(x))


class Heads(nn.Module):
    def __init__(self):
        super().__init__()
        self.heads = nn.ModuleList([nn.Linear(3, 5, bias=False) for _ in range(3)])
        self.embed = nn.Embedding(5, 3)
        for p in self.parameters():
            nn.init.constant_(p, 0.2)
        self.heads[0].weight = self.embed.weight
        self.heads[1].weight = self.embed.weight

    def forward(self, x):
        h = self.embed(x)
        return self.heads[0](h) + self.heads[1](h) * self.heads[2](h)


class Chosen(nn.Module):
    def __init__(self, tie=True):
        super().__init__()
        self.embed = nn.Embedding(5, 3)
        self.output = nn.Linear(3, 5, bias=False)
        if tie:
            self.embed.weight = self.output.weight
        for name, p in self.named_parameters():
            if "embed" in name:
                nn.init.constant_(p, 0.5)
            else:
                nn.init.constant_(p, 0.25)
        for p in self.parameters():
            p.data.mul_(2)

    def forward(self, x):
        return self.output(self.embed(x))


def train(model):
    named = list(model.named_parameters())
    print([name for name, _ in named], len(list(model.parameters())), sorted(model.state_dict()))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(2):
        loss = model(torch.tensor([1, 2])).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(round(loss.item(), 5))


train(Chain())
train(Heads())
train(Chosen())
train(Chosen(False))
