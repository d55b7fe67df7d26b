# also: nnx
"""Hooks that helpers attach: to all layers by `apply`, and in `with` blocks; functions that only look at layers are applied, too."""

import torch
import torch.nn as nn
import torch.nn.functional as F


def fill(model):
    with torch.no_grad():
        for i, p in enumerate(model.parameters()):
            p.copy_((torch.arange(p.numel()).reshape(p.shape) % 7 - 3) * 0.05 + 0.01 * i)
    return model


class CNN(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 4, 3, padding=1)
        self.conv2 = nn.Conv2d(4, 6, 3, padding=1)
        self.pool = nn.MaxPool2d(2)
        self.fc = nn.Linear(6 * 4 * 4, 3)

    def forward(self, x):
        x = F.relu(self.conv1(x))
        x = self.pool(F.relu(self.conv2(x)))
        return self.fc(x.flatten(1))


x = (torch.arange(128.0).reshape(2, 1, 8, 8) % 11) / 8 - 0.6


class Watch:
    def __init__(self, model, names):
        self.model, self.names = model, names
        self.out, self.handles = {}, []

    def __enter__(self):
        for name, module in self.model.named_modules():
            if name in self.names:
                self.handles.append(module.register_forward_hook(self.make(name)))
        return self

    def make(self, name):
        def hook(module, inputs, output):
            self.out[name] = output.detach().clone()

        return hook

    def __exit__(self, *exc):
        for handle in self.handles:
            handle.remove()


total = 0
counts = {}
names = []


def count(module, inputs, output):
    global total
    if isinstance(module, nn.Conv2d):
        n = output.numel() * module.in_channels * 9
    else:
        n = module.in_features * module.out_features
    counts[type(module).__name__] = counts.get(type(module).__name__, 0) + n
    total += n


def attach(module):
    if isinstance(module, (nn.Conv2d, nn.Linear)):
        module.register_forward_hook(count)


def show(module):
    names.append(len(list(module.children())))


model = fill(CNN())
with Watch(model, ["conv1", "fc"]) as watch:
    model(x)
print({name: output.sum().item() for name, output in watch.out.items()})
model(x * 2)
print({name: output.sum().item() for name, output in watch.out.items()})

counted = fill(CNN())
counted.apply(show)
counted.apply(attach)
with torch.no_grad():
    print(counted(x).sum().item())
print(total, counts, names)
