"""Functions that make what they train: nobody has left gradients there, whoever calls them."""

import torch
import torch.nn as nn
import torch.nn.functional as F

x = torch.arange(12).float().view(3, 4) / 12
y = torch.tensor([[0.5], [-1.0], [2.0]])


def filled(model):
    with torch.no_grad():
        for i, p in enumerate(model.parameters()):
            p.copy_((torch.arange(p.numel()).reshape(p.shape) % 7 - 3) * 0.1 + 0.02 * i)
    return model


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc, self.out = nn.Linear(4, 5), nn.Linear(5, 1)

    def forward(self, x):
        return self.out(torch.tanh(self.fc(x)))


def fit(steps, every=2):
    net = filled(Net())
    optimizer = torch.optim.Adam(net.parameters(), lr=0.05)
    for i in range(steps):
        loss = F.mse_loss(net(x * (i + 1)), y) / every
        loss.backward()
        if (i + 1) % every == 0:
            optimizer.step()
            optimizer.zero_grad()
        print(loss.item())


def fit_two(steps):
    a, b = filled(nn.Linear(4, 3)), filled(nn.Linear(3, 1))
    first = torch.optim.Adam(a.parameters(), lr=0.05)
    second = torch.optim.SGD(b.parameters(), lr=0.1)
    for i in range(steps):
        loss = F.mse_loss(b(torch.tanh(a(x * (i + 1)))), y) / 2
        loss.backward()
        if i % 2 == 1:
            first.step()
            first.zero_grad()
        if i % 3 == 2:
            second.step()
            second.zero_grad()
        print(loss.item())


def fit_both(steps):
    a = filled(nn.Linear(4, 3))
    width = a.out_features
    b = filled(nn.Linear(width, 1))
    optimizer = torch.optim.SGD(list(a.parameters()) + list(b.parameters()), lr=0.1)
    for i in range(steps):
        (F.mse_loss(b(torch.tanh(a(x))), y) / 2).backward()
        if i % 2 == 1:
            optimizer.step()
            optimizer.zero_grad()
    print(F.mse_loss(b(torch.tanh(a(x))), y).item())


def probe(net):
    loss = net(x).sum()
    loss.backward()
    return loss.item()


def fit_probed(steps):
    net = filled(nn.Linear(4, 1))
    print(probe(net))  # these gradients count in the first step
    optimizer = torch.optim.SGD(net.parameters(), lr=0.05)
    for i in range(steps):
        loss = F.mse_loss(net(x), y)
        loss.backward()
        if i % 2 == 1:
            optimizer.step()
            optimizer.zero_grad()
    print(net.weight.sum().item())
