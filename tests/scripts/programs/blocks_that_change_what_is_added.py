# also: nnx, linen
import torch
import torch.nn as nn


class ResBlock(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.block = nn.Sequential(nn.ReLU(True), nn.Conv2d(dim, dim, 3, 1, 1), nn.BatchNorm2d(dim), nn.ReLU(True), nn.Conv2d(dim, dim, 1))

    def forward(self, x):
        return x + self.block(x)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Conv2d(1, 2, 3), ResBlock(2), ResBlock(2))
        with torch.no_grad():
            for i, p in enumerate(self.parameters()):
                p.copy_(torch.cos(torch.arange(p.numel()).float() * (i + 1)).view_as(p))

    def forward(self, x):
        return self.body(x)


net = Net()
x = torch.linspace(-1, 1, 50).view(2, 1, 5, 5)
print(net(x).sum().item())
