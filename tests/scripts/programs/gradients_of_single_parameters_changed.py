# also: nnx, linen
"""Gradients of single parameters that are changed between backward() and the update: rows that stay, masks, bounds, other values."""

import torch
import torch.nn as nn


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(4, 3)
        self.layers = nn.Sequential(nn.Linear(3, 3), nn.Linear(3, 2))

    def forward(self, i):
        return self.layers(self.emb(i))


class Trainer:
    def __init__(self, model):
        self.model = model
        self.opt = torch.optim.SGD(self.model.parameters(), lr=0.1, momentum=0.9)

    def step(self, i):
        self.opt.zero_grad()
        loss = self.model(i).pow(2).sum()
        loss.backward()
        self.model.emb.weight.grad[0, :] = 0.0
        self.model.layers[1].bias.grad.clamp_(-0.1, 0.1)
        self.opt.step()
        return loss.item()


def made():
    net = Tagger()
    with torch.no_grad():
        for p in net.parameters():
            p.copy_(torch.linspace(-1, 1, p.numel()).reshape(p.shape))
    return net


words = torch.tensor([0, 1, 3])
net = made()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
mask = torch.tensor([0.5, 0.0, 1.0])
for _ in range(3):
    opt.zero_grad()
    loss = net(words).pow(2).sum()
    loss.backward()
    net.emb.weight.grad[0].fill_(0)
    if net.layers[0].weight.grad is not None:
        net.layers[0].weight.grad.data.mul_(mask)
    net.layers[0].bias.grad = net.layers[0].bias.grad / 2
    setattr(net.layers[1].weight, "grad", net.layers[1].weight.grad * 0.5)
    net.layers[1].bias.grad *= 0.25 * net.layers[1].bias.data.sum()
    opt.step()
    print(round(loss.item(), 3))
print(net.emb.weight.tolist(), net.layers[0].weight.tolist(), net.layers[1].bias.tolist())

trainer = Trainer(made())
print(round(trainer.step(words), 3), round(trainer.step(words), 3))
print(trainer.model.emb.weight.tolist())

delta = torch.zeros(2, 3)
delta.requires_grad = True
opt = torch.optim.SGD([delta], lr=0.1)
w = torch.linspace(-1, 1, 6).reshape(2, 3)
for _ in range(3):
    opt.zero_grad()
    loss = ((delta + 1) * w).pow(2).sum()
    loss.backward()
    norms = delta.grad.view(2, -1).norm(p=2, dim=1)
    delta.grad.div_(norms.view(-1, 1))
    delta.grad[norms < 1.4] = 0.5
    opt.step()
    print(loss.item())
print(delta.tolist())

x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
(x**2).sum().backward()
x.grad.mul_(0.5)
x.grad[0] = 7.0
x.grad *= 2
print(x.grad.tolist())
