# also: nnx
"""Classes that pass a model on to the class they derive from, where nobody in sight makes an object of them."""

import torch
import torch.nn as nn


class Attack:
    def __init__(self, name, model):
        self.name = name
        self.model = model

    def logits(self, x):
        return self.model(x)

    def __call__(self, x):
        return self.forward(x)


class Shift(Attack):
    def __init__(self, model, eps=0.1):
        super().__init__("shift", model)
        self.eps = eps

    def forward(self, x):
        return self.logits(x) + self.eps


class Scale(Attack):
    def __init__(self, model, std=0.1):
        super().__init__("scale", model)
        self.std = std

    def forward(self, x):
        return self.logits(x) * self.std


class Halved(Scale):
    def __init__(self, base, std=0.1):
        super(Halved, self).__init__(base, std=std / 2)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)
        self.bn = nn.BatchNorm1d(3)

    def forward(self, x):
        return self.bn(self.fc(x))


net = Net()
with torch.no_grad():
    for i, p in enumerate(net.parameters()):
        p.copy_(torch.arange(p.numel()).reshape(p.shape).float().sin() + 0.1 * i)
x = torch.arange(6.0).reshape(2, 3)
print(Shift(net)(x).sum().item())
