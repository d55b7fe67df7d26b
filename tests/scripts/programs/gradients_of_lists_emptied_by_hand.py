"""The gradients of what a list holds become zeros by hand, where optimizers update just that list."""

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.autograd import Variable


def start(rows, columns):
    return Variable(torch.linspace(-0.5, 0.7, rows * columns).view(rows, columns), requires_grad=True)


inputs = torch.linspace(-1, 1, 12).view(4, 3) ** 3

W1 = start(3, 4)
b1 = Variable(torch.zeros(4), requires_grad=True)
W2 = start(4, 3)
b2 = Variable(torch.zeros(3), requires_grad=True)


def rebuild(x):
    hidden = torch.tanh(x @ W1 + b1)
    return hidden @ W2 + b2


weights = [W1, b1, W2, b2]
solver = torch.optim.Adam(weights, lr=0.05)


def reset_grad():
    for p in weights:
        if p.grad is not None:
            data = p.grad.data
            p.grad = Variable(data.new().resize_as_(data).zero_())


for _ in range(4):
    loss = F.mse_loss(rebuild(inputs), inputs)
    loss.backward()
    solver.step()
    reset_grad()
    print(f"{loss.item():.4f}")


encoder, decoder = nn.Linear(3, 4), nn.Linear(4, 3)
encoder.weight.data.copy_(torch.linspace(-0.5, 0.7, 12).view(4, 3))
decoder.weight.data.copy_(torch.linspace(0.6, -0.4, 12).view(3, 4))
encoder.bias.data.zero_()
decoder.bias.data.zero_()
params = list(encoder.parameters()) + list(decoder.parameters())
optimizer = torch.optim.SGD(params, lr=0.1, momentum=0.9)
for _ in range(4):
    for p in params:
        if p.grad is not None:
            p.grad = torch.zeros_like(p)
    loss = F.mse_loss(decoder(torch.tanh(encoder(inputs))), inputs)
    loss.backward()
    optimizer.step()
    print(f"{loss.item():.4f}")
