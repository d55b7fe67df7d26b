# also: nnx, linen
"""Objects that look at a model which is trained beside them, in fields that base classes set, too."""

import torch
import torch.nn as nn
import torch.nn.functional as F

class Look:
    def __init__(self, model, scale):
        self.model, self.scale = model, scale
    def score(self, x):
        return self.scale * self.model(x).sum()


class Base:
    def __init__(self, net):
        self.net = net
class Child(Base):
    def __init__(self, net, k):
        super().__init__(net)
        self.k = k
    def __call__(self, x):
        return self.k * self.net(x).mean()

net = nn.Linear(3, 2)
with torch.no_grad():
    for i, p in enumerate(net.parameters()):
        p.copy_(torch.sin(torch.arange(p.numel()).float() + i).view(p.shape) * 0.5)
teacher = nn.Linear(3, 2)
with torch.no_grad():
    for i, p in enumerate(teacher.parameters()):
        p.copy_(torch.cos(torch.arange(p.numel()).float() + i).view(p.shape) * 0.5)
x = torch.sin(torch.arange(12.0)).view(4, 3)
look, kept, child = Look(net, 2.0), Look(teacher, 1.0), Child(net, 0.5)
first = Look(net, 1.0)
second = Child(net, 3.0)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for i in range(3):
    opt.zero_grad()
    loss = (net(x) - teacher(x)).pow(2).mean()
    loss.backward()
    opt.step()
    print(loss.item(), first.score(x).item(), second(x).item())
if first.score(x).item() > 0:
    print("positive", second(x).item())
print(first.score(x).item(), second(x).item())
total = 0.0
for v in first.score(x).view(1).tolist():
    total += v
print(total)
