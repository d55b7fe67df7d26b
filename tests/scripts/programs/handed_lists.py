# also: nnx, linen
"""Plain lists of layers in fields, of which a constructor makes the container that torch knows."""

import torch
import torch.nn as nn


class Unread(nn.Module):
    def __init__(self, width=4, depth=2):
        super().__init__()
        self.layers = []
        self.layers.append(nn.Sequential(nn.Linear(3, width), nn.PReLU()))
        for _ in range(depth):
            self.layers.append(nn.Linear(width, width))
        self.layers += [nn.Tanh()]
        self.mid = nn.Sequential(*self.layers)
        self.out = nn.Linear(width, 1)

    def forward(self, x):
        return self.out(self.mid(x))


class Read(nn.Module):
    def __init__(self, widths=(3, 4, 5)):
        super().__init__()
        self.layers = [nn.Linear(a, b) for a, b in zip(widths[:-1], widths[1:])]
        self.norms = []
        for width in widths[1:]:
            self.norms.append(nn.LayerNorm(width))
        self.layer_list = nn.ModuleList(self.layers)
        self.norm_list = nn.ModuleList(self.norms)
        self.depth = len(self.layers)
        nn.init.zeros_(self.layer_list[-1].bias)

    def forward(self, x):
        for i, (layer, norm) in enumerate(zip(self.layers, self.norms)):
            x = norm(layer(x))
            if i < len(self.layers) - 1:
                x = torch.tanh(x)
        for layer in self.layers[:1]:
            x = x + layer.weight.sum()
        return x * self.layers[-1].out_features + self.depth


class TwoStages(nn.Module):
    def __init__(self):
        super().__init__()
        self.stage = [nn.Linear(3, 4), nn.ReLU()]
        self.first = nn.Sequential(*self.stage)
        self.stage = [nn.Linear(4, 2)]
        self.stage.append(nn.Sigmoid())
        self.second = nn.Sequential(*self.stage)

    def forward(self, x):
        return self.second(self.first(x))


class Early(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = []
        for i in range(2):
            self.blocks.append(nn.Linear(3, 3))
            print("blocks so far", self.count())
        self.body = nn.Sequential(*self.blocks)

    def count(self):
        return len(self.body) if hasattr(self, "body") else i_so_far()

    def forward(self, x):
        return self.body(x)


def i_so_far():
    return 0


x = torch.linspace(-1.0, 1.0, 6).reshape(2, 3)
for net in (Unread(), Read(), TwoStages(), Early()):
    with torch.no_grad():
        for i, p in enumerate(net.parameters()):
            p.copy_(torch.linspace(-0.5, 0.6, p.numel()).reshape(p.shape) + 0.1 * i)
    opt = torch.optim.SGD(net.parameters(), lr=0.01)
    for _ in range(3):
        opt.zero_grad()
        loss = (net(x) - 1).pow(2).mean()
        loss.backward()
        opt.step()
        print(type(net).__name__, loss.item())
    print(len(list(net.parameters())), sorted(net.state_dict()))
