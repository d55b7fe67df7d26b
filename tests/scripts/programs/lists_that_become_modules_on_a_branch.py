# also: nnx
import torch
import torch.nn as nn


class Conv(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.norm = nn.BatchNorm1d(dim)

    def forward(self, x):
        return self.norm(x)


class Net(nn.Module):
    def __init__(self, dim, sizes):
        super().__init__()
        if not isinstance(sizes, list):
            self.layers = nn.ModuleList([Conv(dim), Conv(dim)])
        else:
            self.layers = []
            for size in sizes:
                self.layers.append(Conv(dim))
            self.layers = nn.ModuleList(self.layers)

    def forward(self, x):
        for i in range(len(self.layers)):
            x = self.layers[i](x) * 2
        return x.abs().sum()


print(Net(3, [2, 2])(torch.sin(torch.arange(12.0)).reshape(4, 3)).item())
print(Net(3, 2)(torch.cos(torch.arange(12.0)).reshape(4, 3)).item())
