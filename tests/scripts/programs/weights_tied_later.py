# flagged: T2J604, also: nnx
"""Weights that are tied when the module is there, by a method and by a function."""

import torch
import torch.nn as nn


class Body(nn.Module):
    def __init__(self, n, d):
        super().__init__()
        self.wte = nn.Embedding(n, d)
        self.fc = nn.Linear(d, d)

    def forward(self, ids):
        return torch.tanh(self.fc(self.wte(ids)))


class Later(nn.Module):
    def __init__(self, n, d):
        super().__init__()
        self.body = Body(n, d)
        self.head = nn.Linear(d, n, bias=False)

    def tie_weights(self):
        self.head.weight = self.body.wte.weight

    def forward(self, ids):
        return self.head(self.body(ids))


def tie(one, other):
    one.weight = other.weight


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


net = Later(5, 3)
net.tie_weights()
run(net)
net = Later(5, 3)
tie(net.head, net.body.wte)
run(net)
