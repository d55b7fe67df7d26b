# also: nnx
"""Parts that are looked up by name lie in variables, lists and dicts, and come from methods and generators."""

import torch
import torch.nn as nn


class Looked(nn.Module):
    names = ["first", "second"]

    def __init__(self):
        super().__init__()
        self.first = nn.Linear(4, 4)
        self.second = nn.LayerNorm(4)
        self.order = [n for n, _ in self.named_children()]

    def forward(self, x):
        for name in self.order:
            layer = getattr(self, name)
            x = layer(x)
        layers = [getattr(self, name) for name in self.order]
        for layer in layers:
            x = layer(x)
        table = {name: getattr(self, name) for name in self.order}
        x = table["first"](x)
        for k, v in table.items():
            x = v(x)
        return x


class Given(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(4, 4)
        self.second = nn.LayerNorm(4)
        self.order = ["first", "second"]

    def part(self, name):
        return getattr(self, name)

    def parts(self):
        for name in self.order:
            yield getattr(self, name)

    def named(self):
        for name in self.order:
            yield name, getattr(self, name)

    def listed(self):
        return [getattr(self, name) for name in self.order]

    def forward(self, x):
        for part in self.parts():
            x = part(x)
        for name, part in self.named():
            x = part(x)
        for name in self.order:
            x = self.part(name)(x)
        for part in self.listed():
            x = part(x)
        return x


class Normed(nn.Module):
    names = ["first", "second"]

    def __init__(self):
        super().__init__()
        self.first = nn.Linear(4, 4)
        self.second = nn.BatchNorm1d(4)

    def parts(self):
        for name in self.names:
            yield getattr(self, name)

    @property
    def all_parts(self):
        return [getattr(self, name) for name in self.names]

    def forward(self, x):
        for part in self.parts():
            x = part(x)
        for part in self.all_parts:
            x = part(x)
        return x


def fill(model):
    with torch.no_grad():
        for i, p in enumerate(model.parameters()):
            p.copy_(torch.sin(torch.arange(p.numel(), dtype=torch.float32) + i).reshape(p.shape) * 0.3)


x = torch.cos(torch.arange(12.0)).reshape(3, 4)
looked = Looked()
fill(looked)
print(looked(x).sum().item(), looked(x).abs().sum().item())
given, normed = Given(), Normed()
fill(given)
fill(normed)
print(given(x).sum().item(), given(x).abs().sum().item())
print(normed(x).sum().item(), normed(x).abs().sum().item())
print({k: v.float().sum().item() for k, v in normed.state_dict().items()})
for name, part in zip(normed.names, normed.parts()):
    print(name, sum(p.numel() for p in part.parameters()))
