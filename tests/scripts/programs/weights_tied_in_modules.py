# also: nnx, linen
"""Weights that modules tie by the modules that they are given, by methods, and before they are fields."""

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
    def __init__(self, body, scale):
        super().__init__()
        self.scale = scale
        shape = body.wte.weight.shape
        self.decoder = nn.Linear(shape[1], shape[0], bias=False)
        self.decoder.weight = body.wte.weight

    def forward(self, h):
        return self.decoder(h) * self.scale


class OfModule(nn.Module):
    def __init__(self, n, d):
        super().__init__()
        self.body = Body(n, d)
        self.head = Head(self.body, 0.5)

    def forward(self, ids):
        return self.head(self.body(ids))


class ByMethod(nn.Module):
    def __init__(self, n, d):
        super().__init__()
        self.body = Body(n, d)
        self.head = nn.Linear(d, n, bias=False)
        self.tie_weights()

    def tie_weights(self):
        self.head.weight = self.body.wte.weight

    def forward(self, ids):
        return self.head(self.body(ids))


class IfAsked(nn.Module):
    def __init__(self, n, d):
        super().__init__()
        self.body = Body(n, d)
        self.head = nn.Linear(d, n, bias=False)
        self.tied = True
        self.tie_weights()

    def tie_weights(self):
        if self.tied:
            self.head.weight = self.body.wte.weight

    def forward(self, ids):
        return self.head(self.body(ids))


class BeforeFields(nn.Module):
    def __init__(self, n, d):
        super().__init__()
        body = Body(n, d)
        head = nn.Linear(d, n, bias=False)
        head.weight = body.wte.weight
        self.body = body
        self.head = head

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


run(OfModule(5, 3))
net = ByMethod(5, 3)
net.tie_weights()
run(net)
run(IfAsked(5, 3))
run(BeforeFields(5, 3))
