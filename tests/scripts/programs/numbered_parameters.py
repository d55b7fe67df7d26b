"""Loops that number the parameters which they change."""

import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.fc = nn.Linear(width, width)
        self.conv = nn.Conv1d(width, 2, 3)
        with torch.no_grad():
            for i, p in enumerate(self.parameters()):
                p.copy_(torch.sin(torch.arange(p.numel()).float() + i).view(p.shape))

    def forward(self, x):
        return self.conv(self.fc(x).transpose(1, 2)).mean()


def fill(model, scale):
    with torch.no_grad():
        for i, p in enumerate(model.parameters()):
            p.copy_(torch.cos(torch.arange(p.numel()).float() * scale + i).view(p.shape))


def shrink(model, rates):
    for i, (name, p) in enumerate(model.named_parameters(), 1):
        if "bias" in name:
            continue
        p.data.mul_(rates[i - 1] / i)


def blend(average, model):
    with torch.no_grad():
        for i, (p, q) in enumerate(zip(average.parameters(), model.parameters())):
            decay = 0.5 if i < 2 else 0.9
            p.mul_(decay).add_(q, alpha=1 - decay)


x = torch.arange(24).float().view(2, 4, 3) / 10
net, average = Net(3), Net(3)
print("%.4f" % net(x).item())
fill(net, 0.3)
print("%.4f" % net(x).item())
shrink(net, [0.5, 1.0, 2.0, 1.0])
print("%.4f" % net(x).item())
blend(average, net)
print("%.4f" % average(x).item())
before = [p.clone() for p in net.parameters()]
for i, p in enumerate(net.parameters()):
    p.data += before[i] * (i + 1)
print(["%.4f" % p.sum().item() for p in net.parameters()])
for i, p in enumerate(net.parameters()):
    print(i, tuple(p.shape))
