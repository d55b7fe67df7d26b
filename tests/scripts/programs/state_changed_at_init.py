# also: nnx
import torch
import torch.nn as nn


class Counter(nn.Module):
    def __init__(self, dim, layers=2):
        super().__init__()
        self.register_buffer("count", torch.zeros(1))
        self.steps = 0
        self.lin = nn.Linear(dim, dim)
        nn.init.constant_(self.lin.weight, 0.1)
        with torch.no_grad():
            self.lin.weight[0] = torch.tensor([0.3, -0.2, 0.5])
        nn.init.constant_(self.lin.bias, 0.1)
        self.bn = nn.BatchNorm1d(dim)
        for _ in range(layers):
            self.tick(2.0)
        self.width = self.probe(dim)
        if layers > 1:
            y = self.body(torch.sin(torch.arange(4.0 * dim)).reshape(4, dim))
            self.total = y.pow(3).sum().item()
        self.reset()

    def tick(self, by):
        self.count += by
        self.steps += 1

    def reset(self):
        self.count = self.count * 0.5

    def body(self, x):
        self.tick(0.5)
        return self.bn(self.lin(x))

    def probe(self, dim):
        return self.body(torch.cat([torch.ones(1, dim), torch.zeros(1, dim)])).shape[1]

    def forward(self, x):
        self.tick(1.0)
        return self.body(x).pow(3).sum() * self.count.sum()


net = Counter(3)
print(net.count.item(), net.steps, net.width, net.total)
print(net.bn.running_mean.sum().item(), net.bn.running_var.sum().item(), net.bn.num_batches_tracked.item())
x = torch.sin(torch.arange(12.0)).reshape(4, 3)
for _ in range(2):
    print(net(x).item(), net.count.item(), net.steps)
net.eval()
print(net(x).item())


class Pair(nn.Module):
    def __init__(self):
        super().__init__()
        self.one = Counter(3)
        self.two = nn.ModuleList([Counter(3, 1)])
        self.one.tick(4.0)
        self.out = self.all(torch.sin(torch.arange(9.0)).reshape(3, 3))

    def all(self, x):
        return self.one(x) + self.two[0](x)

    def forward(self, x):
        return self.all(x) + self.out


net = Pair()
print(net.one.count.item(), net.two[0].count.item())
print(net(x).item())
