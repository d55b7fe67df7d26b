# also: nnx, linen
"""Modules whose `__init__` calls the method that starts them, which the program calls again later."""

import torch
import torch.nn as nn


class Scaled(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.ones(3))
        self.fc = nn.Linear(3, 3)
        self.reset_parameters()

    def reset_parameters(self):
        nn.init.constant_(self.w, 0.5)
        nn.init.zeros_(self.fc.bias)
        nn.init.ones_(self.fc.weight)

    def forward(self, x):
        return self.fc(x) * self.w


class Deep(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)
        self.out = nn.Linear(3, 2)
        self.init_weights()

    def init_weights(self):
        for m in self.modules():
            if isinstance(m, nn.Linear):
                nn.init.constant_(m.weight, 0.5)
                m.bias.data.zero_()

    def forward(self, x):
        return self.out(self.fc(x))


class Conv(nn.Module):
    def __init__(self, i, o):
        super().__init__()
        self.lin = nn.Linear(i, o)
        self.bias = nn.Parameter(torch.empty(o))
        self.reset_parameters()

    def reset_parameters(self):
        nn.init.constant_(self.lin.weight, 0.25)
        nn.init.zeros_(self.lin.bias)
        nn.init.ones_(self.bias)

    def forward(self, x):
        return self.lin(x) + self.bias


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.convs = nn.ModuleList([Conv(3, 4), Conv(4, 4)])
        self.out = Conv(4, 2)

    def reset_parameters(self):
        for conv in self.convs:
            conv.reset_parameters()
        self.out.reset_parameters()

    def forward(self, x):
        for conv in self.convs:
            x = conv(x)
        return self.out(x)


net = Scaled()
with torch.no_grad():
    net.w.fill_(4.0)
x = torch.arange(3.0)
print(net(x).sum().item())
net.reset_parameters()
print(net(x).sum().item())

net = Deep()
with torch.no_grad():
    net.out.bias.fill_(4.0)
x = torch.arange(3.0)
print(net(x).sum().item())
net.init_weights()
print(net(x).sum().item())

net = Net()
x = torch.sin(torch.arange(6.0)).reshape(2, 3)
for run in range(2):
    net.reset_parameters()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for step in range(3):
        optimizer.zero_grad()
        loss = net(x).pow(2).mean()
        loss.backward()
        optimizer.step()
        print(run, step, loss.item())
