# also: nnx, linen
# What the wrapper of a decorator does happens in each step: one counts the calls of a loss, another one keeps sizes of batches.
import functools

import torch
import torch.nn as nn

seen = []


def counted(fn):
    @functools.wraps(fn)
    def inner(*args, **kwargs):
        inner.calls += 1
        return fn(*args, **kwargs)

    inner.calls = 0
    return inner


def noted(limit):
    def decorate(fn):
        def inner(net, x):
            if len(seen) < limit:
                seen.append(len(x))
            return fn(net, x)

        return inner

    return decorate


@counted
def loss_of(net, x):
    return (net(x) - 1).pow(2).mean()


@noted(limit=3)
def size_of(net, x):
    return net(x).abs().mean()


net = nn.Linear(2, 1)
nn.init.constant_(net.weight, 0.3)
nn.init.zeros_(net.bias)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.sin(torch.arange(8.0)).view(4, 2)
for measure in (loss_of, loss_of):
    for step in range(2):
        loss = loss_of(net, x)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(step, loss.item(), loss_of.calls)
for step in range(4):
    loss = size_of(net, x)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(step, loss.item(), seen)
