# also: nnx
"""Settings of a part that the __init__ of the module around it sets: numbers, texts, flags; and others that change later, too."""

import torch
import torch.nn as nn


class Inner(nn.Module):
    def __init__(self, n=4, mode="plain"):
        super().__init__()
        self.num_classes = n
        self.mode = mode
        self.scale = 1.0
        self.steps = 0
        self.features = nn.Linear(3, 4)
        self.classifier = nn.Linear(4, n)

    def forward(self, x):
        self.steps += 1
        y = self.classifier(torch.relu(self.features(x)))
        y = y.view(y.size(0), self.num_classes) * self.scale
        return y * 2 if self.mode == "double" else y


class Outer(nn.Module):
    def __init__(self, n=2, double=False):
        super().__init__()
        self.model = Inner()
        self.model.num_classes = n
        self.model.classifier = nn.Linear(4, n)
        if double:
            self.model.mode = "double"
        self.first = self.model.num_classes

    def forward(self, x):
        return self.model(x)


def fill(net):
    with torch.no_grad():
        for p in net.parameters():
            p.fill_(0.5)


x = torch.ones(2, 3)
for double in (False, True):
    net = Outer(2, double)
    fill(net)
    print(net(x).tolist(), net.first, net.model.num_classes, net.model.mode)
    print(net(x).sum().item(), net.model.steps)
inner = Inner()
fill(inner)
print(inner(x).tolist())
net.model.scale = 3.0
print(net(x).tolist())
