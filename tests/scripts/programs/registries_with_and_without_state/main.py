"""Models of one registry, of which only some keep state: found by name in a module or a table, called at once or by a variable."""

import models
import torch
from torch import nn


def get(name, how):
    if how == 0 and len(name) > 4:
        make = models.__dict__[name]
        return make(num_classes=2)
    if how == 1 and len(name) > 4:
        model = getattr(models, name)
        config = {"num_classes": 2}
        model = model(**config)
        return model
    if how == 0:
        return models.__dict__[name](num_classes=2)
    if how == 1:
        return getattr(models, name)(num_classes=2)
    table = {"plain": models.plain, "normed": models.normed, "deep": models.deep, "other": lambda num_classes: models.Normed(num_classes)}
    return table[name](num_classes=2)


def fill(model):
    with torch.no_grad():
        for i, p in enumerate(model.parameters()):
            p.copy_(torch.linspace(-0.5, 0.6, p.numel()).view(p.shape) * (1 + i / 3))


def train(x, y, model, criterion, optimizer):
    model.train()
    output = model(x)
    loss = criterion(output, y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(loss.item())


def validate(x, y, model, criterion):
    model.eval()
    with torch.no_grad():
        return criterion(model(x), y).item()


x = torch.linspace(-1, 1, 12).view(4, 3)
y = torch.tensor([0, 1, 1, 0])
for how in range(3):
    for name in ["plain", "normed", "deep"]:
        model = get(name, how)
        fill(model)
        criterion = nn.CrossEntropyLoss()
        optimizer = torch.optim.SGD(model.parameters(), 0.1, momentum=0.9)
        for epoch in range(2):
            train(x, y, model, criterion, optimizer)
            print(validate(x, y, model, criterion))
