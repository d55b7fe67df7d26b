# also: nnx
"""Lists of parameters that are gone through when these have been trained: torch's lists hold the parameters themselves."""

import torch
import torch.nn as nn


class Pair(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(3, 2)
        self.second = nn.Linear(2, 1)

    def forward(self, x):
        return self.second(self.first(x))


def fill(net):
    for i, p in enumerate(net.parameters()):
        p.data.copy_(torch.cos(torch.arange(p.numel()).float() + i).view(p.shape) * 0.3)


net, other, third = Pair(), nn.Linear(3, 1), nn.Linear(3, 1)
fill(net)
fill(other)
fill(third)
params = list(net.parameters())
joined = list(third.parameters()) + list(other.parameters())
optimizer = torch.optim.SGD(params, lr=0.1)
second = torch.optim.SGD(joined, lr=0.1)


def train(x):
    optimizer.zero_grad()
    loss = net(x).pow(2).mean()
    loss.backward()
    optimizer.step()
    with torch.no_grad():
        for p in joined:
            p.clamp_(-0.25, 0.25)
    return loss.item()


for step in range(3):
    print(train(torch.ones(2, 3) + step))
    print(sum(p.sum().item() for p in params), [tuple(p.shape) for p in params])
for step in range(2):
    second.zero_grad()
    loss = (third(torch.ones(2, 3)) - 2 * other(torch.ones(2, 3))).pow(2).mean()
    loss.backward()
    second.step()
    print(loss.item(), sum(p.abs().sum().item() for p in joined))


def fresh():
    model = nn.Linear(2, 1)
    fill(model)
    own = list(model.parameters())
    before = [p.detach().clone() for p in own]
    sgd = torch.optim.SGD(own, lr=0.1)
    model(torch.ones(1, 2)).sum().backward()
    sgd.step()
    return [(p - q).abs().sum().item() for p, q in zip(own, before)], max(p.max().item() for p in own)


print(fresh())
