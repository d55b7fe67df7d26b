# also: nnx
"""Functions that freeze modules, and a discriminator that is frozen while its generator is trained."""

import torch
import torch.nn as nn
import torch.nn.functional as F


def filled(model):
    with torch.no_grad():
        for p in model.parameters():
            p.copy_(torch.sin(torch.arange(p.numel()) * 1.3 + 0.4).reshape(p.shape) * 0.5)
    return model


def set_requires_grad(nets, requires_grad=False):
    if not isinstance(nets, list):
        nets = [nets]
    for net in nets:
        if net is not None:
            for param in net.parameters():
                param.requires_grad = requires_grad


def freeze(model):
    """Nothing of it is trained."""
    for p in model.parameters():
        p.requires_grad_(False)


def toggle(model, on: bool):
    for p in model.parameters():
        p.requires_grad = on


def gan():
    G = filled(nn.Linear(2, 3))
    D = filled(nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1)))
    og = torch.optim.Adam(G.parameters(), lr=0.1)
    od = torch.optim.Adam(D.parameters(), lr=0.1)
    z = torch.linspace(-1, 1, 10).reshape(5, 2)
    real = torch.linspace(0, 1, 15).reshape(5, 3)
    for i in range(4):
        fake = G(z)
        set_requires_grad(D, True)
        od.zero_grad()
        ld = (D(fake.detach()) ** 2).mean() + ((D(real) - 1) ** 2).mean()
        ld.backward()
        od.step()
        set_requires_grad([D], False)
        og.zero_grad()
        lg = ((D(fake) - 1) ** 2).mean()
        lg.backward()
        og.step()
        print(ld.item(), lg.item())


class Teacher(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(3, 4)
        self.head = nn.Linear(4, 2)

    def forward(self, x):
        return self.head(torch.tanh(self.body(x)))


def distill():
    teacher = filled(Teacher())
    freeze(teacher)
    student = filled(nn.Linear(3, 2))
    optimizer = torch.optim.SGD(student.parameters(), lr=0.5)
    x = torch.linspace(-1, 1.7, 24).reshape(8, 3)
    for i in range(3):
        loss = F.mse_loss(student(x), teacher(x))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(loss.item())


def tune():
    model = filled(Teacher())
    toggle(model.body, False)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.5, weight_decay=0.1)
    x = torch.linspace(-1, 1.7, 24).reshape(8, 3)
    y = torch.tensor([0, 1, 1, 0, 1, 0, 0, 1])
    for i in range(3):
        loss = F.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(loss.item(), model.body.weight.sum().item())


gan()
distill()
tune()


def listed():
    one, two, student = filled(nn.Linear(3, 2)), filled(Teacher()), filled(nn.Linear(3, 2))
    for net in (one, two):
        for p in net.parameters():
            p.requires_grad = False
    optimizer = torch.optim.SGD(student.parameters(), lr=0.5)
    x = torch.linspace(-1, 1.7, 24).reshape(8, 3)
    for i in range(3):
        loss = F.mse_loss(student(x), one(x) + two(x))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(loss.item())


listed()
