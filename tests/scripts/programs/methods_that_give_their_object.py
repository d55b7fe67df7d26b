# also: nnx, linen
"""Methods of a base class that give their object back: it is of the class that the caller knows, with the layers and the mode of that."""

import torch
import torch.nn as nn


class Plain(nn.Module):
    def ready(self):
        print("ready")
        return self


class Net2(Plain):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 3)
        self.drop = nn.Dropout(0.5)

    def forward(self, x):
        return self.drop(self.fc(x))


def fill(net):
    with torch.no_grad():
        for i, p in enumerate(net.parameters()):
            p.copy_(torch.sin(torch.arange(p.numel(), dtype=torch.float32) * 0.7 + i).view(p.shape) * 0.3)


x = torch.linspace(-1, 1, 8).view(2, 4)
net = Net2()
fill(net)
net = net.ready()
net.eval()
print(net(x).sum().item())


class Options:
    def with_rate(self, rate):
        self.rate = rate
        return self


class Training(Options):
    def __init__(self, model):
        self.model = model
        self.rate = 0.0

    def run(self, x):
        return self.model(x).sum() * self.rate


training = Training(net).with_rate(0.5)
training.model.eval()
print(training.run(x).item())
