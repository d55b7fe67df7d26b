"""Arrays that have the memory of a trained model show its new values, also after a NumPy view, in a list, and from a function."""

import numpy as np
import torch
from torch import nn

net = nn.Linear(2, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)


def step():
    optimizer.zero_grad()
    net(torch.ones(1, 2)).sum().backward()
    optimizer.step()


def arrays(model):
    return [value.cpu().numpy() for value in model.state_dict().values()]


def views():
    first = net.weight.detach().numpy()  # T2J303
    second = np.asarray(net.weight.data)  # T2J303
    third = {name: p.detach().cpu().numpy() for name, p in net.named_parameters()}  # T2J303
    fourth = arrays(net)  # T2J303
    fifth, sixth = [], {}
    for name, p in net.named_parameters():
        fifth.append(p.detach().numpy())  # T2J303
        sixth[name] = p.data  # T2J303
    step()
    print(first, second, third, fourth, fifth, sixth)


def copies():
    first = net.weight.detach().numpy().copy()
    second = np.array(net.weight.data)
    third = {name: p.detach().clone().numpy() for name, p in net.named_parameters()}
    fourth = net.weight.detach().numpy().flatten()
    fifth = [p.detach().numpy().flatten() for p in net.parameters()]
    step()
    print(first, second, third, fourth, fifth)


def read_before():
    weight = net.weight.detach().numpy()
    print(weight, arrays(net))
    for _ in range(2):
        step()
        weight = net.weight.detach().numpy()
        print(weight)


views()
copies()
read_before()
