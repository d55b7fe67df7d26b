"""Functions that make optimizers for whatever model they are given: each call is of its own model."""

import torch
import torch.nn as nn
import torch.nn.functional as F

x = torch.linspace(-1, 1.7, 24).reshape(8, 3)
y = torch.tensor([0, 1, 1, 0, 1, 0, 0, 1])


def fill(model):
    model.load_state_dict(
        {k: torch.linspace(-0.5, 0.6, v.numel()).reshape(v.shape) for k, v in model.state_dict().items()}
    )
    return model


def make_optimizer(model, lr):
    return torch.optim.Adam(model.parameters(), lr=lr)


def outer(name, net, lr=0.1):
    if name == "sgd":
        return torch.optim.SGD(net.parameters(), lr=lr, momentum=0.9)
    return make_optimizer(net, lr)


def train(model, optimizer):
    loss = F.cross_entropy(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


def two(a, b):
    oa = outer("sgd", a)
    ob = outer("adam", b)
    for _ in range(3):
        print(train(a, oa), train(b, ob))


def main():
    first = fill(nn.Linear(3, 2))
    second = fill(nn.Linear(3, 2))
    two(first, second)
    third = fill(nn.Linear(3, 2))
    opt = outer("adam", third, 0.3)
    for _ in range(3):
        print(train(third, opt))
    print(first.weight.tolist(), second.weight.tolist(), third.weight.tolist())


main()
