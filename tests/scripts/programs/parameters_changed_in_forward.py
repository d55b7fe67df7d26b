# also: nnx, linen
"""Modules give parameters of theirs other values while they are used: by the first batch, by a norm or by limits; training goes on from these."""

import copy

import torch
import torch.nn as nn
import torch.nn.functional as F


class ActNorm(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(n))
        self.bias = nn.Parameter(torch.zeros(n))
        self.initialized = False

    def forward(self, x):
        if not self.initialized:
            self.weight.data.copy_(torch.log(1.0 / (x.std(0) + 1e-12)))
            self.bias.data.copy_(x.mean(0))
            self.initialized = True
        self.bias.data[1:].clamp_(-0.1, 1.1)
        return (x - self.bias) * torch.exp(self.weight)


class Normalized(nn.Module):
    def __init__(self, inputs, outputs):
        super().__init__()
        self.weight = nn.Parameter(torch.cos(torch.arange(inputs * outputs) * 1.3).view(outputs, inputs))

    def forward(self, x):
        if self.training:
            with torch.no_grad():
                self.weight.copy_(F.normalize(self.weight, dim=1))
        return F.linear(x, F.normalize(self.weight, dim=1)) * self.weight.norm()


class Limited(nn.Linear):
    def __init__(self, *args, limit=0.5, **kwargs):
        super().__init__(*args, **kwargs)
        self.limit = limit
        self.register_buffer("calls", torch.zeros(1))

    def forward(self, x):
        self.weight.data = torch.renorm(self.weight.data, p=2, dim=0, maxnorm=self.limit)
        self.calls += 1
        return super().forward(x)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(ActNorm(4), nn.Tanh(), Normalized(4, 5), nn.BatchNorm1d(5))
        self.head = Limited(5, 2, limit=0.8)
        self.scale = nn.Parameter(torch.tensor(1.5))

    def forward(self, x):
        self.scale.data *= 0.9
        return self.head(self.body(x)) * self.scale

    def penalty(self):
        return self.scale.abs() + self.head.weight.pow(2).sum()


def fill(model):
    with torch.no_grad():
        for k, p in enumerate(model.head.parameters()):
            p.copy_(torch.sin(torch.arange(p.numel(), dtype=torch.float32) + k).view_as(p))


def train(model, x, y, steps):
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.02, weight_decay=0.1, eps=1e-3)
    for step in range(steps):
        model.train()
        optimizer.zero_grad()
        loss = F.mse_loss(torch.tanh(model(x)), y) + 0.01 * model.penalty()
        loss = loss + 0.001 * sum(p.abs().sum() for p in model.parameters())
        loss.backward()
        optimizer.step()
        print(f"{loss.item():.5f} {model.scale.item():.5f}")
        print(f"{evaluate(model, x):.5f}")


def evaluate(model, x):
    model.eval()
    with torch.no_grad():
        return model(x).abs().sum().item()


def accumulate(model, x, y):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    model.train()
    optimizer.zero_grad()
    for step in range(4):
        loss = F.mse_loss(model(x + step), y) / 2
        loss.backward()
        if step % 2 == 1:
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            optimizer.zero_grad()
        print(f"{loss.item():.5f} {model.body[2].weight.norm().item():.5f}")


def main():
    x = torch.sin(torch.arange(24.0)).view(6, 4) * 3 + 1
    y = torch.cos(torch.arange(12.0)).view(6, 2)
    model = Net()
    fill(model)
    train(model, x, y, 3)
    accumulate(model, x, y)
    other = copy.deepcopy(model)
    print(f"{evaluate(other, x + 1):.5f} {other.scale.item():.5f} {model.scale.item():.5f}")
    torch.save(model.state_dict(), "model.pt")
    loaded = Net()
    loaded.load_state_dict(torch.load("model.pt"))
    loaded.body[0].initialized = True
    print(sorted(loaded.state_dict()))
    print(f"{evaluate(loaded, x):.5f}")
    for name, p in model.named_parameters():
        print(name, f"{p.norm().item():.5f}")
    teacher = Net()
    fill(teacher)
    for p in teacher.parameters():
        p.requires_grad_(False)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    for step in range(2):
        optimizer.zero_grad()
        loss = F.mse_loss(model(x), teacher(x))
        loss.backward()
        optimizer.step()
        print(f"{loss.item():.5f} {teacher.scale.item():.5f}")


main()
