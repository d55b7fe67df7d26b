"""Layers that are given first values again: their parameters lie within torch's bounds, and have torch's spread."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(100, 50)
        self.conv = nn.Conv2d(8, 16, 3, bias=False)
        self.up = nn.ConvTranspose2d(8, 16, 3)
        self.norm = nn.LayerNorm(50)
        self.bn = nn.BatchNorm1d(50)
        self.emb = nn.Embedding(1000, 4)
        self.layers = nn.ModuleList([nn.Linear(50, 50), nn.Linear(50, 50)])
        self.reset_parameters()

    def reset_parameters(self):
        self.fc.reset_parameters()
        self.conv.reset_parameters()
        self.up.reset_parameters()
        self.norm.reset_parameters()
        self.bn.reset_parameters()
        self.emb.reset_parameters()
        for layer in self.layers:
            layer.reset_parameters()

    def forward(self, x):
        return self.bn(self.norm(self.fc(x)))


net = Net()
print(bool(net.fc.weight.abs().max() <= 0.1), bool(net.fc.bias.abs().max() <= 0.1), bool(net.fc.weight.std() > 0.05))
print(
    bool(net.up.weight.abs().max() <= (16 * 9) ** -0.5 + 1e-6),
    bool(net.up.weight.abs().max() > 0.9 * (16 * 9) ** -0.5),
    bool(net.up.bias.abs().max() <= (16 * 9) ** -0.5),
)
print(
    bool(net.conv.weight.abs().max() <= (72) ** -0.5 + 1e-6),
    net.norm.weight.sum().item(),
    bool(net.emb.weight.std() > 0.9),
)
with torch.no_grad():
    net.fc.weight.fill_(7)
    net.layers[1].weight.fill_(9)
net.fc.reset_parameters()
net.layers[1].reset_parameters()
print(bool(net.fc.weight.abs().max() <= 0.1), bool(net.layers[1].weight.abs().max() <= 1))
m = nn.Linear(4, 4)
nn.init.constant_(m.weight, 5)
m.reset_parameters()
print(bool(m.weight.abs().max() <= 0.5))
