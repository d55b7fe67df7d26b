# also: nnx
"""Loops over the parts of a module by name that call them, also through the table that torch keeps of them."""

import torch
import torch.nn as nn


class Step(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.lin = nn.Linear(n, n)

    def forward(self, x, mode="direct"):
        return torch.tanh(self.lin(x)) if mode == "direct" else self.lin(x)


class Flow(nn.Sequential):
    def forward(self, x, mode="direct"):
        if mode == "direct":
            for module in self._modules.values():
                x = module(x, mode)
        else:
            for module in reversed(self._modules.values()):
                x = module(x, mode)
        return x


flow = Flow(Step(4), Step(4), Step(4))
for i, p in enumerate(flow.parameters()):
    nn.init.constant_(p, 0.1 * (i + 1))
x = torch.arange(8.0).reshape(2, 4) / 8
print(flow(x).sum().item(), flow(x, "inverse").sum().item())
opt = torch.optim.SGD(flow.parameters(), lr=0.01)
for _ in range(3):
    loss = flow(x).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(loss.item())


class Features(nn.Module):
    def __init__(self):
        super().__init__()
        self.select = ["0", "2"]
        self.vgg = nn.Sequential(nn.Conv2d(1, 2, 3), nn.ReLU(), nn.Conv2d(2, 2, 3))

    def forward(self, x):
        features = []
        for name, layer in self.vgg._modules.items():
            x = layer(x)
            if name in self.select:
                features.append(x)
        return features


f = Features().eval()
for i, p in enumerate(f.parameters()):
    nn.init.constant_(p, 0.1 * (i + 1))
print([o.sum().item() for o in f(torch.ones(1, 1, 8, 8))])


class Named(Features):
    def forward(self, x):
        features = {}
        for name, layer in self.vgg.named_children():
            x = layer(x)
            features[name] = x
        return features


named = Named()
for i, p in enumerate(named.parameters()):
    nn.init.constant_(p, 0.1 * (i + 1))
print([o.sum().item() for o in named(torch.ones(1, 1, 8, 8)).values()])
