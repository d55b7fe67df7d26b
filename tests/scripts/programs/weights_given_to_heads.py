# also: nnx
"""Heads that are given the weight of an embedding, which both are trained by, as in BERT and GPT-2."""

import torch
import torch.nn as nn


class Body(nn.Module):
    def __init__(self, n, d):
        super().__init__()
        self.wte = nn.Embedding(n, d)
        self.fc = nn.Linear(d, d)

    def forward(self, ids):
        return torch.tanh(self.fc(self.wte(ids)))


class Head(nn.Module):
    def __init__(self, weights, scale):
        super().__init__()
        self.scale = scale
        shape = weights.shape
        self.decoder = nn.Linear(shape[1], shape[0], bias=False)
        self.decoder.weight = weights  # tied

    def forward(self, h):
        return self.decoder(h) * self.scale


class FieldHead(nn.Module):
    def __init__(self, weights):
        super().__init__()
        self.weight = weights

    def forward(self, h):
        return nn.functional.linear(h, self.weight)


class Predictions(nn.Module):
    def __init__(self, scale, w):
        super().__init__()
        self.head = Head(w, scale)

    def forward(self, x):
        return self.head(x)


class Given(nn.Module):
    def __init__(self, n, d):
        super().__init__()
        self.body = Body(n, d)
        self.head = Head(self.body.wte.weight, 0.5)

    def forward(self, ids):
        return self.head(self.body(ids))


class Kept(nn.Module):
    def __init__(self, n, d):
        super().__init__()
        self.body = Body(n, d)
        self.head = FieldHead(self.body.wte.weight)

    def forward(self, ids):
        return self.head(self.body(ids))


class HandedOn(nn.Module):
    def __init__(self, n, d):
        super().__init__()
        self.body = Body(n, d)
        self.head = Predictions(0.25, self.body.wte.weight)

    def forward(self, ids):
        return self.head(self.body(ids))


class Named(nn.Module):
    def __init__(self, n, d):
        super().__init__()
        self.body = Body(n, d)
        weight = self.body.wte.weight
        self.head = Head(weight, 2.0)

    def forward(self, ids):
        return self.head(self.body(ids))


def run(net):
    with torch.no_grad():
        for p in net.parameters():
            p.copy_(torch.linspace(-0.8, 0.7, p.numel()).view(p.shape))
    ids = torch.tensor([[0, 2, 4], [1, 3, 3]])
    print(net(ids).sum().item(), len(list(net.parameters())))
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for step in range(3):
        loss = nn.functional.cross_entropy(net(ids).view(-1, 5), ids.view(-1))
        opt.zero_grad()
        loss.backward()
        opt.step()
        print(loss.item())
    print(net.body.wte.weight[0].tolist())


run(Given(5, 3))
run(Kept(5, 3))
run(HandedOn(5, 3))
run(Named(5, 3))
