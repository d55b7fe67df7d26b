"""Which class a model is of is a matter of options; only one of them has state."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class Plain(nn.Module):
    def __init__(self, classes=5):
        super().__init__()
        self.layer = nn.Linear(4, classes)
        nn.init.constant_(self.layer.weight, 0.1)
        nn.init.zeros_(self.layer.bias)

    def encode(self, x):
        return self.layer(x) * torch.arange(5.0)

    def forward(self, x):
        return self.encode(x)


class Doubled(Plain):
    def encode(self, x):
        return self.layer(x) * torch.arange(5.0) * 2


class Normalized(nn.Module):
    def __init__(self, classes=5):
        super().__init__()
        self.norm = nn.BatchNorm1d(4)
        self.layer = nn.Linear(4, classes)
        nn.init.constant_(self.layer.weight, 0.1)
        nn.init.zeros_(self.layer.bias)

    def forward(self, x):
        return self.layer(self.norm(x)) * torch.arange(5.0)


def make_model(name):
    if name == "plain":
        return Plain()
    if name == "doubled":
        return Doubled()
    return Normalized()


def make_by_name(name):
    if name == "plain":
        model = Plain()
    elif name == "normalized":
        model = Normalized()
    else:
        raise KeyError(name)
    return model


def train(model, optimizer, x, y):
    model.train()
    loss = F.cross_entropy(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


def evaluate(model, x):
    model.eval()
    with torch.no_grad():
        return model(x).sum().item()


x = torch.sin(torch.arange(12.0)).reshape(3, 4)
y = torch.tensor([1, 2, 4])
for name in ["plain", "doubled", "normalized"]:
    model = make_model(name)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    print(name, [train(model, optimizer, x, y) for _ in range(3)])
    print(evaluate(model, x))

for name in ["normalized", "plain"]:
    if name == "plain":
        net = Plain()
    else:
        net = Normalized()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for _ in range(3):
        loss = F.cross_entropy(net(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(loss.item(), evaluate(net, x))

model = make_by_name("plain")
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(2):
    print(train(model, optimizer, x, y), evaluate(model, x))
