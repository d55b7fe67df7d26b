# also: nnx, linen
"""Agents of several files that are trained by one call, of which one draws when it does."""

import noisy
import plain
import torch


def make(name, **kwargs):
    if name == "noisy":
        kwargs["noise"] = 0.0
        agent = noisy.Noisy(**kwargs)
    elif name == "plain":
        agent = plain.Plain(**kwargs)
    else:
        raise ValueError(name)
    return agent


x = torch.linspace(-1, 1, 12).reshape(4, 3)
for name in ("noisy", "plain"):
    agent = make(name, lr=0.1)
    for _ in range(3):
        agent.train(x, count=2)
    print(name, agent.total, agent.values())
