# also: nnx, linen
# Functions that methods of a module give parts with state: one part or each of a list, with results, in other methods
import torch
import torch.nn as nn


class Scale(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.register_buffer("loc", torch.zeros(n))

    def forward(self, x):
        self.loc.add_(0.1)
        return x - self.loc


def start(layer, x):
    layer.loc.copy_(x.detach().mean(0))
    return layer.loc.sum()


def run(layer, x, times):
    for _ in range(times):
        x = layer(x)
    return x


class Parent(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([Scale(3), Scale(3)])
        self.b = Scale(3)
        self.d = nn.Sequential(Scale(3), nn.Tanh())
        self.norm = nn.BatchNorm1d(3)
        self.c = nn.Parameter(torch.ones(3))

    def encode(self, x):
        return run(self.norm, run(self.b, x, 1), 2)

    def forward(self, x):
        x = x * self.c
        total = 0.0
        for layer in self.layers:
            total = total + start(layer, x)
            x = run(layer, x, 2)
        return self.d(self.encode(x)) + total


net = Parent()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.linspace(-1, 2, 12).reshape(4, 3) ** 2 + torch.tensor([0., 0.1, 0.5])
for step in range(3):
    opt.zero_grad()
    loss = ((net(x) - 0.5) ** 2).mean()
    loss.backward()
    opt.step()
    print(step, loss.item())
print(net.norm.running_mean.tolist(), net.b.loc.tolist(), net.c.tolist(), net.layers[0].loc.tolist(), net.layers[1].loc.tolist())
