# also: nnx
"""Objects in fields of modules whose tensors change between steps: by several at once, in place, by setattr, through __dict__."""
import torch
import torch.nn as nn


class Stats:
    def __init__(self, n):
        self.mean = torch.zeros(n)
        self.var, self.count = torch.ones(n), 1e-4

    def update(self, x):
        delta = x.mean(0) - self.mean
        total = self.count + x.shape[0]
        mean = self.mean + delta * x.shape[0] / total
        self.mean, self.count = mean, total

    def decay(self, x):
        self.mean.mul_(0.9).add_(x.mean(0))

    def named(self, x):
        setattr(self, "mean", self.mean * 0.9 + x.mean(0))

    def through(self, x):
        self.__dict__.update(mean=self.mean * 0.9 + x.mean(0))

    def first(self, x):
        self.mean[0] = x.mean()


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 1)
        self.stats = Stats(3)

    def forward(self, x):
        return self.fc(x - self.stats.mean)


x = torch.ones(2, 3)

net = Net()
for p in net.parameters():
    nn.init.constant_(p, 0.3)
opt = torch.optim.SGD(net.parameters(), lr=0.01)
for i in range(3):
    net.stats.update(x * (i + 1))
    loss = net(x * i).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print("update", loss.item(), net.stats.mean.tolist())

net = Net()
for p in net.parameters():
    nn.init.constant_(p, 0.3)
opt = torch.optim.SGD(net.parameters(), lr=0.01)
for i in range(3):
    net.stats.decay(x * (i + 1))
    loss = net(x * i).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print("decay", loss.item(), net.stats.mean.tolist())

net = Net()
for p in net.parameters():
    nn.init.constant_(p, 0.3)
opt = torch.optim.SGD(net.parameters(), lr=0.01)
for i in range(3):
    net.stats.named(x * (i + 1))
    loss = net(x * i).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print("named", loss.item(), net.stats.mean.tolist())

net = Net()
for p in net.parameters():
    nn.init.constant_(p, 0.3)
opt = torch.optim.SGD(net.parameters(), lr=0.01)
for i in range(3):
    net.stats.through(x * (i + 1))
    loss = net(x * i).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print("through", loss.item(), net.stats.mean.tolist())

net = Net()
for p in net.parameters():
    nn.init.constant_(p, 0.3)
opt = torch.optim.SGD(net.parameters(), lr=0.01)
for i in range(3):
    net.stats.first(x * (i + 1))
    loss = net(x * i).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print("first", loss.item(), net.stats.mean.tolist())
