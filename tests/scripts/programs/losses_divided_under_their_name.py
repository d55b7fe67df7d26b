import math

import torch
from torch import nn


def build():
    model = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 2))
    with torch.no_grad():
        for i, p in enumerate(model.parameters()):
            p.copy_(torch.linspace(-0.5, 0.5 + 0.1 * i, p.numel()).reshape(p.shape))
    return model


def data():
    return [(torch.linspace(-1, 1, 12).reshape(4, 3) * (1 + k), torch.tensor([0, 1, 1, 0])) for k in range(4)]


def accumulated(model, criterion, optimizer, steps, max_norm):
    optimizer.zero_grad()
    for it, (x, y) in enumerate(data()):
        loss = criterion(model(x), y)
        loss_value = loss.item()
        if not math.isfinite(loss_value):
            raise SystemExit(1)
        loss /= steps
        loss.backward()
        if (it + 1) % steps == 0:
            norm = nn.utils.clip_grad_norm_(model.parameters(), max_norm)
            optimizer.step()
            optimizer.zero_grad()
            print(norm.item())
        print(it, loss_value, loss.item())


def weighted(model, criterion, optimizer, weight):
    total, kept = 0.0, []
    for x, y in data():
        optimizer.zero_grad()
        with torch.autocast("cpu", enabled=False):
            loss = criterion(model(x), y)
        total += loss.detach().item()
        kept.append(loss)
        loss = loss * weight
        loss.backward()
        optimizer.step()
    print(total, [item.item() for item in kept], loss.item())


def seen_by_others(model, criterion, optimizer):
    for x, y in data():
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        print(float(loss))
        loss *= 0.5
        loss.backward()
        optimizer.step()
    return loss


model = build()
accumulated(model, nn.CrossEntropyLoss(), torch.optim.AdamW(model.parameters(), lr=0.01), 2, 0.5)
print(sum(p.abs().sum().item() for p in model.parameters()))
model = build()
weighted(model, nn.CrossEntropyLoss(), torch.optim.AdamW(model.parameters(), lr=0.01), 0.25)
print(sum(p.abs().sum().item() for p in model.parameters()))
model = build()
print(seen_by_others(model, nn.CrossEntropyLoss(), torch.optim.AdamW(model.parameters(), lr=0.01)).item())
print(sum(p.abs().sum().item() for p in model.parameters()))
