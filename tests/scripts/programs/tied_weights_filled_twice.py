# also: nnx, linen
"""Tied weights that a method of `__init__` fills under both names: the last one has the say, as the tensor is one."""

import torch
import torch.nn as nn


class LanguageModel(nn.Module):
    def __init__(self, tie_weights=True):
        super().__init__()
        self.encoder = nn.Embedding(5, 3)
        self.decoder = nn.Linear(3, 5)
        if tie_weights:
            self.decoder.weight = self.encoder.weight
        self.init_weights()

    def init_weights(self):
        nn.init.constant_(self.encoder.weight, 0.25)
        nn.init.zeros_(self.decoder.bias)
        nn.init.constant_(self.decoder.weight, 0.5)

    def forward(self, x):
        return self.decoder(self.encoder(x))


class FirstNameLast(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(4, 2)
        self.head = nn.Linear(2, 4)
        self.head.weight = self.embedding.weight
        self.start(0.5)

    def start(self, value):
        self.head.weight.data.fill_(2.0)
        self.head.bias.data.zero_()
        self.embedding.weight.data.fill_(value)

    def forward(self, x):
        return self.head(self.embedding(x))


class Turned(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = nn.Linear(2, 4, bias=False)
        self.embedding = nn.Embedding(4, 2)
        self.head.weight = self.embedding.weight
        self.start()

    def start(self):
        self.head.weight.data.fill_(2.0)
        self.embedding.weight.data.copy_(torch.arange(8.0).reshape(4, 2))

    def forward(self, x):
        return self.head(self.embedding(x))


words = torch.tensor([1, 2])
for model in (LanguageModel(), LanguageModel(tie_weights=False), FirstNameLast(), Turned()):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    print(model(words).tolist(), sum(p.numel() for p in model.parameters()))
    for _ in range(2):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(words), words)
        loss.backward()
        optimizer.step()
    print(f"{loss.item():.4f}", [[round(v, 4) for v in row] for row in model(words).tolist()])
