# also: nnx
"""Fields of a module that hold one module first and another one, made of its parts, in the end."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class Backbone(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.conv1 = nn.Conv2d(3, n, 3)
        self.bn1 = nn.BatchNorm2d(n)
        self.relu = nn.ReLU()
        self.pool = nn.AdaptiveAvgPool2d(1)
        self.fc = nn.Linear(n, 10)

    def forward(self, x):
        return self.fc(torch.flatten(self.pool(self.relu(self.bn1(self.conv1(x)))), 1))


class Features(nn.Module):
    def __init__(self):
        super().__init__()
        # first a whole model
        self.body = Backbone(4)
        self.body.conv1 = nn.Conv2d(1, 4, 3, bias=False)
        self.width = self.body.fc.in_features

        # then all of it but the last layer
        self.body = nn.Sequential(*(list(self.body.children())[:-1]))
        self.head = nn.Linear(self.width, 2)

    def forward(self, x):
        return self.head(self.body(x).flatten(1))


class Wrapped(nn.Module):
    def __init__(self):
        super().__init__()
        body = 3
        self.body = nn.Linear(4, body)
        self.body = nn.Sequential(self.body, nn.Tanh())
        self.body = Doubled(self.body)

    def forward(self, x):
        return self.body(x)


class Doubled(nn.Module):
    def __init__(self, inner):
        super().__init__()
        self.inner = inner

    def forward(self, x):
        return 2 * self.inner(x)


def filled(model):
    for i, p in enumerate(model.parameters()):
        p.data.copy_((torch.arange(p.numel()).reshape(p.shape) % 5 - i).float() / 10)
    return model


model = filled(Features())
x = torch.arange(72.0).reshape(2, 1, 6, 6) / 50
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(3):
    loss = F.cross_entropy(model(x), torch.tensor([0, 1]))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(f"{loss.item():.4f}")
print([name for name, _ in model.named_parameters()])
model.eval()
print(model(x).detach())
other = filled(Wrapped())
print(other(torch.ones(1, 4)).detach(), [name for name, _ in other.named_parameters()])
