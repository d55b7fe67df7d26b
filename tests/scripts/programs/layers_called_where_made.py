# also: nnx, linen
"""Layers without parameters that are called where they are made, as old programs write activations."""

import torch
import torch.nn as nn
from torch.nn import LeakyReLU, Softmax


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 4)
        nn.init.constant_(self.fc.weight, 0.3)
        nn.init.constant_(self.fc.bias, -0.2)

    def forward(self, x):
        x = nn.ReLU()(self.fc(x))
        x = LeakyReLU(0.2)(x - 0.5) + nn.ELU(alpha=0.5)(x - 1) + nn.ReLU(True)(x - 0.1) + nn.ReLU(inplace=True)(x * 2)
        return Softmax(dim=1)(x * torch.arange(4))


def pooled(x):
    return (
        nn.MaxPool2d(2)(x),
        nn.AvgPool2d(2, stride=1)(x),
        nn.AdaptiveAvgPool2d((1, 1))(x),
        nn.MaxPool2d(3, 2, padding=1)(x),
    )


def scores(x):
    return (
        nn.LogSoftmax(dim=-1)(x),
        nn.Softmax(1)(x),
        nn.Tanh()(nn.Sigmoid()(x)),
        nn.GELU(approximate="tanh")(x),
        nn.Softplus(2)(x),
    )


net = Net()
x = torch.linspace(-1, 2, 6).reshape(2, 3).requires_grad_()
out = net(x)
(gradient,) = torch.autograd.grad(out.pow(2).sum(), x)
print(out.detach().numpy().round(4).tolist(), gradient.numpy().round(4).tolist())
print([item.tolist() for item in pooled(torch.arange(16.0).reshape(1, 1, 4, 4))])
print([item.numpy().round(4).tolist() for item in scores(torch.tensor([[-1.0, 0.5, 2.0]]))])
