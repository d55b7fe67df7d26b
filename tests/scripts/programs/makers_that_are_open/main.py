"""A class that is annotated as a module and called to make one: files that know it give it, and one that does not."""

import torch
from evaluate import evaluate
from nets import Deep, Small


def data(size):
    return [[i / size - j for i in range(size)] for j in range(3)]


for make in (Small, Deep):
    net = make(4)
    with torch.no_grad():
        for i, p in enumerate(net.parameters()):
            p.copy_(torch.linspace(-0.5, 0.6, p.numel()).view(p.shape) * (1 + i / 3))
    torch.save(net.state_dict(), "net.pt")
    print(evaluate("net.pt", 4, data, Model=make))
