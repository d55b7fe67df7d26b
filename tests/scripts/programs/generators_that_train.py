# also: linen
"""Generators that change what they are given: nobody looks at it afterwards."""

import torch
import torch.nn as nn
import torch.nn.functional as F

x = torch.linspace(-1, 1.7, 24).reshape(8, 3)
y = torch.tensor([0, 1, 1, 0, 1, 0, 0, 1])


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(3, 4)
        self.norm = nn.BatchNorm1d(4)
        self.last = nn.Linear(4, 2)

    def forward(self, x):
        return self.last(torch.tanh(self.norm(self.first(x))))


def make():
    model = Net()
    with torch.no_grad():
        for p in model.parameters():
            p.copy_(torch.linspace(-0.5, 0.6, p.numel()).reshape(p.shape))
    return model


def report(model, x, y):
    model.train()
    loss = F.cross_entropy(model(x), y)
    loss.backward()
    yield "loss", loss.item()
    for name, p in model.named_parameters():
        yield name, p.grad.abs().sum().item()
    for name, b in model.named_buffers():
        yield name, b.sum().item()
    model.eval()
    with torch.no_grad():
        yield "scores", model(x).sum().item()


def trained(model, steps, lr):
    optimizer = torch.optim.SGD(model.parameters(), lr=lr, momentum=0.9)
    model.train()
    for step in range(steps):
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        yield step, loss.item()
    model.eval()
    yield steps, model(x).sum().item()


def main():
    net = make()
    print(dict(report(net, x, y)))
    other = make()
    for step, loss in trained(other, 4, 0.1):
        print(step, loss)
    print([loss for _, loss in trained(make(), 3, 0.2)])


if __name__ == "__main__":
    main()
