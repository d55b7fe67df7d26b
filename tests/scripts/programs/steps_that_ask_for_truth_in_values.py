# also: nnx, linen
"""The truth of tensors that is asked for in values, where no statement tests it: steps with these are not compiled."""

import torch
import torch.nn as nn


class Orders(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 4)

    def forward(self, x):
        kind = x.argmax(1)
        return self.fc(x) * (1 + torch.equal(kind, kind.sort()[0]))


class Closeness(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 4)

    def forward(self, x):
        return self.fc(x) * (2 - torch.allclose(x, x.abs(), atol=0.1))


class Both(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 4)

    def forward(self, x):
        mask = x > 0.2
        return self.fc(x) * ((mask.any() and 3) + (not mask.all()))


class Fallback(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 4)

    def forward(self, x):
        return self.fc(x) * ((x.sum() - x.sum() or 0.25))


class Counted(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 4)

    def forward(self, x):
        kind = x.argmax(1)
        return self.fc(x) * (1 + any(k > 2 for k in kind))


class Between(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 4)

    def forward(self, x):
        return self.fc(x) * (1 + (0 < x.sum() < 100))


class Converted(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 4)

    def forward(self, x):
        return self.fc(x) * (1 + float(torch.equal(x, x.abs())))


x = torch.linspace(-2, 2, 40).view(10, 4).cos()

orders = Orders()
with torch.no_grad():
    for p in orders.parameters():
        p.copy_(torch.linspace(-0.5, 0.4, p.numel()).view_as(p))
optimizer = torch.optim.SGD(orders.parameters(), lr=0.01)
for _ in range(3):
    loss = orders(x).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss.item())

closeness = Closeness()
with torch.no_grad():
    for p in closeness.parameters():
        p.copy_(torch.linspace(-0.5, 0.4, p.numel()).view_as(p))
optimizer = torch.optim.SGD(closeness.parameters(), lr=0.01)
for _ in range(3):
    loss = closeness(x).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss.item())

both = Both()
with torch.no_grad():
    for p in both.parameters():
        p.copy_(torch.linspace(-0.5, 0.4, p.numel()).view_as(p))
optimizer = torch.optim.SGD(both.parameters(), lr=0.01)
for _ in range(3):
    loss = both(x).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss.item())

fallback = Fallback()
with torch.no_grad():
    for p in fallback.parameters():
        p.copy_(torch.linspace(-0.5, 0.4, p.numel()).view_as(p))
optimizer = torch.optim.SGD(fallback.parameters(), lr=0.01)
for _ in range(3):
    loss = fallback(x).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss.item())

counted = Counted()
with torch.no_grad():
    for p in counted.parameters():
        p.copy_(torch.linspace(-0.5, 0.4, p.numel()).view_as(p))
optimizer = torch.optim.SGD(counted.parameters(), lr=0.01)
for _ in range(3):
    loss = counted(x).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss.item())

between = Between()
with torch.no_grad():
    for p in between.parameters():
        p.copy_(torch.linspace(-0.5, 0.4, p.numel()).view_as(p))
optimizer = torch.optim.SGD(between.parameters(), lr=0.01)
for _ in range(3):
    loss = between(x).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss.item())

converted = Converted()
with torch.no_grad():
    for p in converted.parameters():
        p.copy_(torch.linspace(-0.5, 0.4, p.numel()).view_as(p))
optimizer = torch.optim.SGD(converted.parameters(), lr=0.01)
for _ in range(3):
    loss = converted(x).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss.item())
