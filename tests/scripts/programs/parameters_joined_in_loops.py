# also: nnx
"""Optimizers of the parameters of several models, which a loop or a comprehension over the models puts into a list."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class Net(nn.Module):
    def __init__(self, n, h, out):
        super().__init__()
        self.first = nn.Linear(n, h)
        self.head = nn.Linear(h, out)

    def forward(self, x):
        return self.head(torch.tanh(self.first(x)))


def make(n, h, out):
    model = Net(n, h, out)
    with torch.no_grad():
        for i, p in enumerate(model.parameters()):
            p.copy_(torch.cos(torch.arange(p.numel()).float() * 0.7 + i).reshape(p.shape) * 0.3)
    return model


def fit(encoder, decoder, optimizer):
    for step in range(3):
        x = torch.sin(torch.arange(20.0) * 0.37 + step).reshape(5, 4)
        y = torch.cos(torch.arange(15.0) * 0.21 + step).reshape(5, 3)
        optimizer.zero_grad()
        loss = F.mse_loss(decoder(encoder(x)), y)
        loss.backward()
        optimizer.step()
    print(round(loss.item(), 5), [round(p.sum().item(), 4) for m in (encoder, decoder) for p in m.parameters()])


def added():
    encoder, decoder = make(4, 6, 4), make(4, 5, 3)
    params = []
    for m in (encoder, decoder):
        params += list(m.parameters())
    fit(encoder, decoder, torch.optim.Adam(params, lr=0.05))


def extended():
    encoder, decoder = make(4, 6, 4), make(4, 5, 3)
    params = []
    for m in [encoder, decoder]:
        params.extend(m.parameters())
    fit(encoder, decoder, torch.optim.SGD(params, lr=0.1, momentum=0.9))


def grouped():
    encoder, decoder = make(4, 6, 4), make(4, 5, 3)
    groups = []
    for m, lr in ((encoder, 0.1), (decoder, 0.02)):
        groups.append({"params": m.parameters(), "lr": lr})
    fit(encoder, decoder, torch.optim.SGD(groups, lr=0.05))


def gathered():
    encoder, decoder = make(4, 6, 4), make(4, 5, 3)
    optimizer = torch.optim.Adam([p for m in (encoder, decoder) for p in m.parameters()], lr=0.05)
    fit(encoder, decoder, optimizer)


added()
extended()
grouped()
gathered()
