# also: nnx
"""Steps that do not reach all that their optimizer has: torch leaves the other parameters, and what it keeps of them, alone."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class Parts(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Linear(3, 4)
        self.decoder = nn.Linear(4, 3)
        self.heads = nn.ModuleList([nn.Linear(4, 2) for _ in range(2)])
        self.a, self.b = nn.Linear(4, 2), nn.Linear(4, 2)
        self.scale = nn.Parameter(torch.ones(4))

    def encode(self, x):
        return torch.tanh(self.encoder(x)) * self.scale

    def forward(self, x):
        return self.decoder(self.encode(x))

    def one_of(self, x, i):
        return [self.a, self.b][i](self.encode(x))

    def head(self, x, i):
        return self.heads[i](self.encode(x))

    def both(self, x, other=None):
        h = self.encode(x)
        if other is None:
            return h
        return h + self.decoder(other).mean()

    def pair(self, x):
        h = self.encode(x)
        return self.a(h), self.b(h)

    def frozen_encoder(self, x):
        with torch.no_grad():
            h = self.encode(x)
        return self.a(h)

    def cut(self, x):
        h = self.encode(x)
        return self.a(h.detach())


def make():
    model = Parts()
    with torch.no_grad():
        for p in model.parameters():
            p.copy_(torch.linspace(-0.4, 0.7, p.numel()).reshape(p.shape))
    return model


def show(name, model):
    print(name, [round(p.detach().abs().sum().item(), 4) for p in model.parameters()])


x = torch.linspace(-1, 1.7, 12).reshape(4, 3)
y = torch.tensor([0, 1, 1, 0])


def encode_only():
    model = make()
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.01, weight_decay=0.1)
    for _ in range(4):
        optimizer.zero_grad()
        loss = model.encode(x).pow(2).mean()
        loss.backward()
        optimizer.step()
    show("encode only", model)


def one_of():
    model = make()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
    for i in range(5):
        optimizer.zero_grad()
        loss = F.cross_entropy(model.one_of(x, i % 2), y)
        loss.backward()
        optimizer.step()
    show("one of", model)


def head():
    model = make()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    for i in range(5):
        loss = F.cross_entropy(model.head(x, i % 2), y)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 0.2)
        optimizer.step()
    show("head", model)


def both():
    model = make()
    optimizer = torch.optim.RMSprop(model.parameters(), lr=0.01, momentum=0.5)
    for i in range(4):
        optimizer.zero_grad()
        loss = model.both(x, None if i % 2 else torch.ones(1, 4)).pow(2).mean()
        loss.backward()
        optimizer.step()
    show("both", model)


def by_turns():
    model = make()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 2, 0.5)
    for i in range(6):
        optimizer.zero_grad()
        loss = (model(x) - x).pow(2).mean()
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        loss = model.encode(x).abs().mean()
        loss.backward()
        optimizer.step()
        scheduler.step()
    show("by turns", model)


def three():
    for name in ("pair", "frozen", "cut"):
        model = make()
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1, weight_decay=0.2)
        for i in range(3):
            optimizer.zero_grad()
            if name == "pair":
                logits, _ = model.pair(x)
            elif name == "frozen":
                logits = model.frozen_encoder(x)
            else:
                logits = model.cut(x)
            loss = F.cross_entropy(logits, y)
            loss.backward()
            optimizer.step()
        show(name, model)


def accumulated():
    model = make()
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.05, weight_decay=0.3)
    for i in range(4):
        loss = model.encode(x + i).pow(2).mean()
        loss.backward()
        if i % 2:
            optimizer.step()
            optimizer.zero_grad()
    show("accumulated", model)


encode_only()
one_of()
head()
both()
by_turns()
three()
accumulated()


def penalty():
    model = make()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, weight_decay=0.3)
    for i in range(3):
        optimizer.zero_grad()
        loss = model.encode(x).pow(2).mean()
        for name, p in model.named_parameters():
            if "weight" in name:
                loss = loss + 0.01 * p.abs().sum()
        loss.backward()
        optimizer.step()
    show("penalty", model)


penalty()
