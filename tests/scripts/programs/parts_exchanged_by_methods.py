# also: nnx
"""Methods that exchange parts of their module for others, as vision models do for other classes; parts in parts."""

import torch
import torch.nn.functional as F
from torch import nn


class Head(nn.Module):
    def __init__(self, dim, classes):
        super().__init__()
        self.norm = nn.LayerNorm(dim)
        self.fc = nn.Linear(dim, classes)

    def forward(self, x):
        return self.fc(self.norm(x))


class Net(nn.Module):
    """As vision models write it: a head that is exchanged for other classes."""

    def __init__(self, num_classes=3, dim=4, global_pool="avg", drop=0.0):
        super().__init__()
        self.num_classes = num_classes
        self.num_features = self.embed_dim = dim
        self.global_pool = global_pool
        self.body = nn.Conv2d(1, dim, 3)
        self.norm = nn.BatchNorm2d(dim)
        self.head = Head(dim, num_classes) if num_classes > 0 else nn.Identity()

    def get_classifier(self):
        return self.head

    def reset_classifier(self, num_classes, global_pool=None):
        self.num_classes = num_classes
        if global_pool is not None:
            assert global_pool in ("avg", "max")
            self.global_pool = global_pool
        self.head = Head(self.embed_dim, num_classes) if num_classes > 0 else nn.Identity()

    def forward(self, x):
        x = self.norm(F.relu(self.body(x)))
        x = x.mean((2, 3)) if self.global_pool == "avg" else x.amax((2, 3))
        return self.head(x)


class Branching(nn.Module):
    def __init__(self, dims, num_classes):
        super().__init__()
        self.dims = dims
        self.num_classes = num_classes
        self.body = nn.ModuleList([nn.Linear(2, d) for d in dims])
        if num_classes > 0:
            self.head = nn.Linear(sum(dims), num_classes)
        else:
            self.head = nn.Identity()
        self.aux = nn.Identity()

    def reset_classifier(self, num_classes, global_pool=""):
        self.num_classes = num_classes
        if num_classes > 0:
            self.head = nn.Linear(sum(self.dims), num_classes)
        else:
            self.head = nn.Identity()

    def remove_head(self):
        self.head = nn.Identity()
        return self

    def forward(self, x):
        return self.aux(self.head(torch.cat([f(x) for f in self.body], -1)))


class Inner(nn.Module):
    def __init__(self, n=3):
        super().__init__()
        self.head = nn.Linear(4, n)
        self.n = n

    def reset(self, n):
        self.head = nn.Linear(4, n)
        self.n = n

    def forward(self, x):
        return self.head(x) * self.n


class Outer(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = Inner()

    def reset_classifier(self, n):
        self.inner.reset(n)

    def forward(self, x):
        return self.inner(x)


def fill(module):
    with torch.no_grad():
        for i, p in enumerate(module.parameters()):
            p.copy_(torch.linspace(-1.0, 1.0, p.numel()).view(p.shape) + 0.1 * i)


x = torch.linspace(-2, 2, 72).view(2, 1, 6, 6)
net = Net()
fill(net)
print(net(x).detach())
net.reset_classifier(5, "max")
fill(net)
print(net(x).detach(), net.num_classes, net.global_pool)
net.reset_classifier(5, "avg")
fill(net)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(3):
    optimizer.zero_grad()
    loss = F.cross_entropy(net(x), torch.tensor([0, 4]))
    loss.backward()
    optimizer.step()
    print(loss.item())
net.reset_classifier(0)
net.eval()
print(net(x).shape, [n for n, _ in net.named_parameters()])
net.reset_classifier(2)
print(net(x).shape, net.get_classifier().fc.weight.shape)

other = Branching((2, 3), 4)
fill(other)
y = torch.linspace(-1, 1, 6).view(3, 2)
print(other(y).detach())
other.reset_classifier(2)
fill(other)
print(other(y).detach(), other.num_classes)
other = other.remove_head()
print(other(y).detach())

outer = Outer()
print(outer(torch.ones(1, 4)).shape)
outer.reset_classifier(7)
fill(outer)
print(outer(torch.ones(1, 4)).detach(), outer.inner.n)
