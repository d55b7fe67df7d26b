# also: nnx
"""Methods that freeze parts of their module, training in two phases, and flags of parameters that are read."""

import torch
import torch.nn.functional as F
from torch import nn, optim


class Body(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer1 = nn.Linear(4, 8)
        self.layer2 = nn.Linear(8, 8)

    def forward(self, x):
        return torch.tanh(self.layer2(torch.tanh(self.layer1(x))))


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = Body()
        self.head = nn.Linear(8, 2)

    def freeze_body(self):
        for param in self.body.parameters():
            param.requires_grad = False
        self.thaw_bias()

    def thaw_bias(self):
        self.body.layer1.bias.requires_grad = True

    def unfreeze(self):
        for param in self.parameters():
            param.requires_grad_(True)

    def forward(self, x):
        return self.head(self.body(x))


def fill(model):
    with torch.no_grad():
        for i, p in enumerate(model.parameters()):
            p.copy_(torch.linspace(-0.5, 0.5 + 0.1 * i, p.numel()).reshape(p.shape))


def train(model, optimizer):
    for _ in range(5):
        optimizer.zero_grad()
        loss = F.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
    print(loss.item())
    for p in model.parameters():
        print(p.sum().item())


def report(model):
    trained = sum(p.numel() for p in model.parameters() if p.requires_grad)
    print(trained, sum(p.numel() for p in model.parameters()))
    for name, p in model.named_parameters():
        if p.requires_grad:
            print(name, tuple(p.shape))
    print([p.requires_grad for p in model.parameters()])


x = torch.linspace(-1, 1, 24).reshape(6, 4)
y = torch.sin(x[:, :2] * 3)


def by_methods():
    model = Net()
    fill(model)
    model.freeze_body()
    report(model)
    train(model, optim.Adam(model.parameters(), lr=0.01))
    model.unfreeze()
    report(model)
    train(model, optim.Adam(model.parameters(), lr=0.01))


def from_outside():
    model = Net()
    fill(model)
    for _, p in model.named_parameters():
        p.requires_grad = False
    for _, p in model.head.named_parameters():
        p.requires_grad = True
    report(model)
    optimizer = optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    train(model, optimizer)
    for p in model.body.layer2.parameters():
        p.requires_grad = True
    optimizer = optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    train(model, optimizer)
    report(model)


by_methods()
from_outside()
