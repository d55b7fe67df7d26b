# also: nnx, linen
"""Lists of layers, some of which work in place, called one after the other: only the first gets what the caller holds."""

import torch
import torch.nn as nn


class Grown(nn.Module):
    def __init__(self, widths):
        super().__init__()
        self.layers = nn.ModuleList()
        before = 3
        for width in widths:
            self.layers.append(nn.Linear(before, width))
            self.layers += [nn.ReLU(inplace=True), nn.Dropout(0.0)]
            before = width

    def forward(self, x):
        y = x
        for i, layer in enumerate(self.layers):
            y = layer(y)
        return y + x


class Numbered(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(3, 4), nn.ReLU(True), nn.Linear(4, 3), nn.Tanh(), nn.ReLU(True)])

    def forward(self, x):
        for k in range(2):
            x = self.layers[k](x)
        middle = x
        for k in range(2, len(self.layers)):
            x = self.layers[k](x)
        return x, middle


class Cut(nn.Module):
    def __init__(self, widths):
        super().__init__()
        self.block = self._make(widths)

    def forward(self, x):
        y = torch.tanh(self.block(x))
        return y * x

    @staticmethod
    def _make(widths):
        layers = []
        before = 3
        for width in widths:
            layers += [nn.Linear(before, width), nn.ReLU(inplace=True)]
            before = width
        layers = layers[:-1]
        return nn.Sequential(*layers)


def fill(net):
    for place, p in enumerate(net.parameters()):
        p.data.copy_(torch.linspace(-0.7, 0.9, p.numel()).reshape(p.shape) * (1 + 0.1 * place))
    return net


x = torch.linspace(-1, 1, 6).reshape(2, 3)
grown, numbered, cut = fill(Grown([4, 3])), fill(Numbered()), fill(Cut([4, 3]))
print(grown(x).tolist(), x.tolist())
y, middle = numbered(x)
print(y.tolist(), middle.tolist(), x.tolist())
print(cut(x).tolist(), x.tolist())

target = torch.ones(2, 3)
optimizer = torch.optim.SGD(grown.parameters(), lr=0.1)
for step in range(3):
    optimizer.zero_grad()
    loss = ((grown(x) - target) ** 2).mean()
    loss.backward()
    optimizer.step()
    print(f"{loss.item():.5f}")
