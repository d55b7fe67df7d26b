# also: nnx, linen
import copy
import torch
import torch.nn as nn


class Gate(nn.Module):
    def __init__(self, width, on=None):
        super().__init__()
        self.fc = nn.Linear(width, width)
        self.on = on
        self.best = None
        self.pair = None
        self.rate = 0.5
        self.history = ()

    def forward(self, x):
        y = self.fc(x)
        if self.on:
            y = y * 2
        self.best = y.max().detach() if self.best is None else torch.maximum(self.best, y.max().detach())
        self.pair = (y.mean().detach(), y.shape[0])
        self.rate = self.rate * 0.9
        return y * self.rate

    def switch(self, flag):
        self.on = flag


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.gates = nn.ModuleList([Gate(3), Gate(3, True)])
        self.count = 0

    def forward(self, x):
        self.count = self.count + 1
        for gate in self.gates:
            x = gate(x)
        return x


def train(net, opt, x):
    opt.zero_grad()
    loss = net(x).pow(2).mean()
    loss.backward()
    opt.step()
    return loss.item()


net = Net()
with torch.no_grad():
    for i, p in enumerate(net.parameters()):
        p.copy_(torch.arange(p.numel()).reshape(p.shape).float().mul(0.1 + i).sin())
opt = torch.optim.Adam(net.parameters(), lr=0.05)
x = torch.arange(12.0).reshape(4, 3) / 5
for step in range(3):
    print(train(net, opt, x))
    if step == 0:
        net.gates[0].switch(True)
print(net.count, net.gates[0].rate, net.gates[1].best.item(), net.gates[0].pair[1])
other = copy.deepcopy(net)
print(other(x).sum().item(), other.count, net.count)
net.count = 0
net.gates[0].rate = 0.25
print(net(x).sum().item(), net.count)
net.load_state_dict(other.state_dict())
print(net(x).sum().item(), net.count, net.gates[0].rate)
