# also: nnx
"""Layers divide their weights by a norm that they estimate themselves, in a method that forward calls."""

import torch
import torch.nn as nn


class SNLinear(nn.Module):
    def __init__(self, i, o):
        super().__init__()
        self.weight = nn.Parameter(torch.sin(torch.arange(i * o, dtype=torch.float32) + 1).view(o, i))
        self.bias = nn.Parameter(torch.zeros(o))
        self.register_buffer("u", torch.ones(o) / o**0.5)

    def power(self):
        with torch.no_grad():
            v = self.weight.t() @ self.u
            v = v / (v.norm() + 1e-12)
            u = self.weight @ v
            self.u.copy_(u / (u.norm() + 1e-12))
            sigma = self.u @ self.weight @ v
            self.weight.data.div_(sigma)
        return sigma

    def forward(self, x):
        s = self.power()
        return torch.nn.functional.linear(x, self.weight, self.bias), s


class D(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = SNLinear(3, 6)
        self.b = SNLinear(6, 1)

    def forward(self, x):
        h, s = self.a(x)
        out, t = self.b(torch.relu(h))
        self.last = (s + t).item()
        return out


net = D()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.cos(torch.arange(15.0)).view(5, 3)
for i in range(4):
    opt.zero_grad()
    loss = torch.nn.functional.softplus(-net(x)).mean()
    loss.backward()
    opt.step()
    print(f"{loss.item():.5f} {net.last:.5f} {net.a.weight.norm().item():.5f}")
