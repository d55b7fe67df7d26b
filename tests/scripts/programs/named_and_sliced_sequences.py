# also: nnx, linen
from collections import OrderedDict

import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(
            OrderedDict(
                [("zeta", nn.Linear(4, 4)), ("norm", nn.BatchNorm1d(4)), ("act", nn.ReLU()), ("alpha", nn.Linear(4, 3))]
            )
        )
        nn.init.constant_(self.body.zeta.bias, 0.5)

    def forward(self, x):
        return self.body(x) + self.body.alpha(x) + self.body[0](x).sum() + self.body[1:3](x).sum()


net = Net()
print(net.body.zeta.bias.sum().item(), len(net.body))
print([(n, tuple(p.shape)) for n, p in net.named_parameters()], list(net.state_dict()))
with torch.no_grad():
    for n, p in enumerate(net.parameters()):
        p.copy_(torch.sin(torch.arange(float(p.numel())) + n).reshape(p.shape) * 0.3)
optimizer = torch.optim.SGD(net.parameters(), lr=0.001)
x = torch.arange(24.0).reshape(6, 4) / 24
for _ in range(3):
    loss = (net(x) ** 2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(loss.item())
net.eval()
print(net(x).sum().item(), net.body.norm.running_mean.sum().item(), net.body.alpha.weight.sum().item())
y = x + 1
for layer in net.body:
    y = layer(y)
print(y.sum().item())


class Features(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(nn.Linear(4, 4), nn.Tanh(), nn.Linear(4, 4), nn.Tanh(), nn.Linear(4, 2))

    def forward(self, x):
        return self.features[2:](self.features[:2](x))


class Cut(nn.Module):
    def __init__(self, base):
        super().__init__()
        self.one = base.features[:2]
        self.two = nn.Sequential(*list(base.features)[2:])

    def forward(self, x):
        return self.two(self.one(x))


net = Features()
with torch.no_grad():
    for n, p in enumerate(net.parameters()):
        p.copy_(torch.sin(torch.arange(float(p.numel())) + n).reshape(p.shape) * 0.3)
x = torch.arange(24.0).reshape(6, 4) / 24
print(net(x).sum().item(), net.features[:3](x).sum().item())
cut = Cut(net)
print(cut(x).sum().item())
