"""Pictures that are changed until a network says what it said of others: what it said is a constant, whoever was asked first."""

import torch
import torch.nn as nn


class Features(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(4, 5), nn.Tanh(), nn.Linear(5, 3))

    def forward(self, x):
        found = []
        for layer in self.layers:
            x = layer(x)
            found.append(x)
        return found


def filled(model):
    with torch.no_grad():
        for p in model.parameters():
            p.copy_(torch.linspace(-0.6, 0.7, p.numel()).reshape(p.shape))
    return model.eval()


def frozen(model):
    for p in model.parameters():
        p.requires_grad = False
    return model


content = torch.linspace(-1, 1, 4).reshape(1, 4)
style = torch.linspace(2, -1, 4).reshape(1, 4)


def asked_behind():
    net = frozen(filled(Features()))
    picture = content.clone().requires_grad_(True)
    optimizer = torch.optim.Adam([picture], lr=0.1, betas=[0.5, 0.999])
    fixed = net(style)
    for step in range(4):
        ours, theirs = net(picture), net(content)
        loss = 0
        for f1, f2, f3 in zip(ours, theirs, fixed):
            loss += torch.mean((f1 - f2) ** 2) + 0.5 * torch.mean((f1 - f3) ** 2)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(step, loss.item(), picture.norm().item())


def asked_before():
    net = frozen(filled(Features()))
    fixed = net(style)
    grams = [f.t() @ f for f in fixed]
    picture = content.clone().requires_grad_(True)
    optimizer = torch.optim.SGD([picture], lr=0.2, momentum=0.5)
    for step in range(4):
        optimizer.zero_grad()
        loss = sum(torch.mean((f.t() @ f - g) ** 2) for f, g in zip(net(picture), grams))
        loss.backward()
        optimizer.step()
        print(step, loss.item(), picture.norm().item())


asked_behind()
asked_before()

net = frozen(filled(nn.Sequential(nn.Linear(4, 4), nn.Tanh(), nn.Linear(4, 2))))
target = net(torch.ones(1, 4))
image = torch.zeros(1, 4, requires_grad=True)
optimizer = torch.optim.SGD([image], lr=0.5, momentum=0.9)
for i in range(4):
    optimizer.zero_grad()
    loss = (net(image) - target).pow(2).sum()
    loss.backward()
    optimizer.step()
    print(loss.item(), image.sum().item())
