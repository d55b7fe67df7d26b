# also: nnx
"""What a step binds, or is given, on some paths only: it keeps its value on the others, or has none."""

import argparse

import torch
import torch.nn as nn
import torch.nn.functional as F


class Recurrent(nn.Module):
    def __init__(self, n, dim):
        super().__init__()
        self.emb = nn.Embedding(n, dim)
        self.rnn = nn.GRU(dim, dim)
        self.dec = nn.Linear(dim, n)

    def forward(self, x, hidden=None):
        out, hidden = self.rnn(self.emb(x), hidden)
        return self.dec(out).view(-1, 5), hidden

    def init_hidden(self, batch):
        return next(self.parameters()).new_zeros(1, batch, 6)


def fill(model):
    with torch.no_grad():
        for i, p in enumerate(model.parameters()):
            p.copy_((torch.arange(p.numel(), dtype=torch.float32).reshape(p.shape) * 0.37 + i).sin() * 0.3)
    return model


def read(args, model, optimizer, batches):
    if args.carry:
        hidden = model.init_hidden(3)
    for x, y in batches:
        optimizer.zero_grad()
        if args.carry:
            hidden = hidden.detach()
            out, hidden = model(x, hidden)
        else:
            out, _ = model(x)
        loss = F.cross_entropy(out, y)
        loss.backward()
        optimizer.step()
        print(loss.item())
    if args.carry:
        print(hidden.sum().item())


def fit(model, x, y, weight=None, aux=False):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    last = torch.zeros(())
    if weight is not None:
        scale = weight * 2.0
    for step in range(3):
        h = model[0](x)
        loss = F.mse_loss(model[1](h.tanh()), y)
        if weight is not None:
            loss = loss + scale * h.abs().mean()
        if aux:
            penalty = h.pow(2).mean()
            loss = loss + penalty
        if step % 2 == 0:
            last = h.sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(loss.item(), last.item())
        if aux:
            print(penalty.item())


tokens = torch.arange(24).view(2, 4, 3) % 5
targets = (torch.arange(24) * 3 + 1).view(2, 12) % 5
parser = argparse.ArgumentParser()
parser.add_argument("--carry", action="store_true")
for argv in ([], ["--carry"]):
    model = fill(Recurrent(5, 6))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
    read(parser.parse_args(argv), model, optimizer, list(zip(tokens, targets)))

x = (torch.arange(24, dtype=torch.float32) * 0.3).sin().view(6, 4)
for aux in (False, True):
    for weight in (None, torch.tensor(0.3)):
        fit(fill(nn.Sequential(nn.Linear(4, 3), nn.Linear(3, 1))), x, x.sum(1, keepdim=True), weight, aux)
