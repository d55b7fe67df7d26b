# also: nnx, linen
import torch
import torch.nn as nn


class Inspire(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(3, 3) * 0.3)
        self.G = torch.ones(3, 3)

    def set_target(self, target):
        self.G = target

    def forward(self, x):
        return x @ (self.weight @ self.G)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(3, 3)
        self.ins = Inspire()
        self.head = nn.Linear(3, 2)

    def set_target(self, xs):
        f = self.body(xs)
        self.ins.set_target(f.t() @ f)

    def forward(self, x):
        return self.head(self.ins(self.body(x)))




import torch


def fill(model):
    with torch.no_grad():
        for p in model.parameters():
            p.copy_(torch.sin(torch.arange(p.numel()).float() * 0.7 + 1).view(p.shape) * 0.5)


net = Net()
fill(net)
x = torch.sin(torch.arange(12).float()).view(4, 3)
style = torch.cos(torch.arange(12).float()).view(4, 3)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for i in range(4):
    opt.zero_grad()
    with torch.no_grad():
        net.set_target(style)
    net.ins.set_target(net.ins.G + style[:3])
    y = net(x)
    loss = (y**2).mean()
    loss.backward()
    opt.step()
    print(loss.item())
