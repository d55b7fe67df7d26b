# also: nnx, linen
import torch
import torch.nn as nn


class Layer(nn.Module):
    def __init__(self, a, b):
        super().__init__()
        self.a, self.b = a, b
        self.weight = nn.Parameter(torch.zeros(a, b))

    def forward(self, x):
        return x @ self.weight

    def __repr__(self):
        return f"{self.__class__.__name__} ({self.weight.shape[0]} -> {self.b})"


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.one = Layer(3, 4)
        self.two = nn.ModuleList([Layer(4, 5)])

    def forward(self, x):
        return self.two[0](self.one(x))

    def __str__(self):
        return "Net of " + str(self.one)


net = Net()
print(net.one, net.two[0])
print(f"{net}", str(net.two[0]), repr(net.one))
print(net(torch.ones(2, 3)).sum().item())
