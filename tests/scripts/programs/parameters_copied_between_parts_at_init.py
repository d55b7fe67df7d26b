# also: nnx, linen
import torch
import torch.nn as nn


class Body(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.layer = nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4), nn.ReLU())
        self.fc = nn.Linear(4, dim)

    def forward(self, x):
        return self.fc(self.layer(x))


class Momentum(nn.Module):
    def __init__(self, body, dim=2, m=0.8):
        super().__init__()
        self.m = m
        self.fast = body(dim)
        self.slow = body(dim)
        self.fast.fc = nn.Sequential(nn.Linear(4, 4), nn.ReLU(), self.fast.fc)
        self.slow.fc = nn.Sequential(nn.Linear(4, 4), nn.ReLU(), self.slow.fc)
        for p, q in zip(self.fast.parameters(), self.slow.parameters()):
            q.data.copy_(p.data)
            q.requires_grad = False

    @torch.no_grad()
    def follow(self):
        for p, q in zip(self.fast.parameters(), self.slow.parameters()):
            q.data = q.data * self.m + p.data * (1.0 - self.m)

    def forward(self, x):
        with torch.no_grad():
            slow = self.slow(x)
        return (self.fast(x) - slow - 1).pow(2).mean()


class Lists(nn.Module):
    def __init__(self):
        super().__init__()
        self.one = nn.ModuleList([nn.Linear(3, 3) for _ in range(2)])
        self.two = nn.ModuleList([nn.Linear(3, 3) for _ in range(2)])
        for q, p in zip(self.two.parameters(), self.one.parameters()):
            q.data.copy_(p.data * 2)

    def match(self):
        for q, p in zip(self.two.parameters(), self.one.parameters()):
            q.data.copy_(p.data * 0.5 + q.data)

    def forward(self, x):
        for a, b in zip(self.one, self.two):
            x = torch.tanh(a(x)) - b(x)
        return x


def fill(model):
    for i, p in enumerate(model.parameters()):
        p.data.copy_(torch.sin(torch.arange(p.numel()).float() + i).view_as(p) * 0.5)


net = Momentum(Body)
print(all(torch.equal(p, q) for p, q in zip(net.fast.parameters(), net.slow.parameters())))
fill(net.fast)
fill(net.slow)
opt = torch.optim.SGD([p for p in net.parameters() if p.requires_grad], lr=0.1)
x = torch.cos(torch.arange(12.0)).view(4, 3)
for _ in range(3):
    loss = net(x)
    opt.zero_grad()
    loss.backward()
    opt.step()
    net.follow()
    print(round(loss.item(), 5))
print([round(p.sum().item(), 4) for p in net.slow.parameters()])

lists = Lists()
print([round((q - 2 * p).abs().max().item(), 5) for p, q in zip(lists.one.parameters(), lists.two.parameters())])
fill(lists)
lists.match()
print([round(v, 4) for v in lists(x)[0].tolist()])
