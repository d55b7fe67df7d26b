# also: nnx, linen
"""Gradients of parts that stand in containers, read behind `backward()` and behind `step()`; conv biases in the shape of torch."""

import torch
import torch.nn as nn

net = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 1))


class C(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(3, 2), nn.Tanh())
        self.layers = nn.ModuleList([nn.Linear(2, 2) for _ in range(2)])
        self.d = nn.ModuleDict({"a": nn.Linear(2, 2)})

    def forward(self, x):
        x = self.net(x)
        for layer in self.layers:
            x = layer(x)
        return self.d["a"](x)


c = C()
for m in (net, c):
    for i, p in enumerate(m.parameters()):
        nn.init.constant_(p, 0.1 * (i + 1))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
opt2 = torch.optim.Adam(c.parameters(), lr=0.1)
x = torch.linspace(-1.0, 1.0, 6).reshape(2, 3)
for epoch in range(2):
    opt.zero_grad()
    loss = net(x).pow(2).mean()
    loss.backward()
    print(net[0].weight.grad.norm().item())
    opt.step()
    opt2.zero_grad()
    loss = c(x).pow(2).mean()
    loss.backward()
    opt2.step()
    print(
        c.net[0].weight.grad.norm().item(),
        c.layers[-1].weight.grad.norm().item(),
        c.d["a"].bias.grad.sum().item(),
        c.net[0].weight.sum().item(),
    )


class Conv(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 2, 3)

    def forward(self, x):
        return self.conv(x).mean((2, 3))


conv = Conv()
for i, p in enumerate(conv.parameters()):
    nn.init.constant_(p, 0.1 * (i + 1))
conv(torch.linspace(-1.0, 2.0, 25).reshape(1, 1, 5, 5)).pow(2).sum().backward()
print(list(conv.conv.bias.grad.shape), conv.conv.bias.grad.tolist(), conv.conv.bias.grad.sum().item())
