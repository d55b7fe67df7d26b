# also: nnx, linen
"""Fields that hold one of several methods of their module, which another method picks, too."""

import torch
import torch.nn as nn
class L(nn.Module):
    def __init__(self, cos):
        super().__init__()
        self.cos = nn.CosineSimilarity(dim=-1)
        self.scale = nn.Linear(2, 2)
        self.similarity = self._pick(cos)
    def _pick(self, cos):
        if cos:
            return self._cosine
        return self._dot
    @staticmethod
    def _dot(x, y):
        return torch.mm(x, y.t())
    def _cosine(self, x, y):
        return self.cos(self.scale(x).unsqueeze(1), y.unsqueeze(0))
    def forward(self, x, y):
        return self.similarity(x, y).sum()
for c in (True, False):
    m = L(c)
    nn.init.constant_(m.scale.weight, 0.3)
    nn.init.constant_(m.scale.bias, 0.1)
    opt = torch.optim.SGD(m.parameters(), lr=0.1)
    x = torch.linspace(0.1, 1, 6).view(3, 2)
    for _ in range(2):
        loss = m(x, x.flip(0))
        if c:
            opt.zero_grad()
            loss.backward()
            opt.step()
        print(loss.item())
class Three(nn.Module):
    def __init__(self, kind):
        super().__init__()
        self.scale = nn.Linear(2, 2)
        self.f = self.pick(kind)

    def pick(self, kind):
        if kind == "a":
            return self._a
        elif kind == "b":
            return self._b
        return self._c
    def _a(self, x):
        return self.scale(x)
    def _b(self, x):
        return self.scale(x) * 2
    def _c(self, x):
        return self.scale(x) * 3
    def forward(self, x):
        return self.f(x).sum()
for c in "abc":
    m = Three(c)
    nn.init.constant_(m.scale.weight, 0.3)
    nn.init.constant_(m.scale.bias, 0.1)
    opt = torch.optim.SGD(m.parameters(), lr=0.1)
    x = torch.linspace(0.1, 1, 6).view(3, 2)
    for _ in range(2):
        loss = m(x)
        opt.zero_grad()
        loss.backward()
        opt.step()
        print(loss.item())
class Direct(nn.Module):
    def __init__(self, kind):
        super().__init__()
        self.scale = nn.Linear(2, 2)
        if kind == "a":
            self.f = self._a
        elif kind == "b":
            self.f = self._b
        else:
            self.f = self._c
    def _a(self, x):
        return self.scale(x)
    def _b(self, x):
        return self.scale(x) * 2
    def _c(self, x):
        return self.scale(x) * 3
    def forward(self, x):
        return self.f(x).sum()
for c in "abc":
    m = Direct(c)
    nn.init.constant_(m.scale.weight, 0.3)
    nn.init.constant_(m.scale.bias, 0.1)
    opt = torch.optim.SGD(m.parameters(), lr=0.1)
    x = torch.linspace(0.1, 1, 6).view(3, 2)
    for _ in range(2):
        loss = m(x)
        opt.zero_grad()
        loss.backward()
        opt.step()
        print(loss.item())
