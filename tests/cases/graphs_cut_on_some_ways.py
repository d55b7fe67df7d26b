import torch
from torch import nn

net = nn.Linear(2, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)


def cut(k, x):
    loss = net(x).sum() - k
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    k = k + net(x).mean()
    k = k.data
    return k


def train(x):
    k = torch.zeros(())
    for _ in range(3):
        loss = net(x).sum() - k
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        k = k + net(x).mean()
        k = k.detach()
    return k


def train_and_keep(x):
    k = torch.zeros(())
    for i in range(3):
        loss = net(x).sum() - k
        optimizer.zero_grad()  # T2J500
        loss.backward(retain_graph=True)  # T2J500
        optimizer.step()  # T2J500
        k = k + net(x).mean()
        if i > 1:
            k = k.detach()
    return k


def train_with_another_name(x):
    k = old = torch.zeros(())
    for _ in range(3):
        loss = net(x).sum() - old
        optimizer.zero_grad()  # T2J500
        loss.backward(retain_graph=True)  # T2J500
        optimizer.step()  # T2J500
        k = k + net(x).mean()
        old = k
        k = k.detach()
    return k
