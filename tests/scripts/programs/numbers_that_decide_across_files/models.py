import torch
from torch import nn


class Gate(nn.Module):
    def __init__(self, width, on=None):
        super().__init__()
        self.fc = nn.Linear(width, width)
        self.on = on
        self.calls = 0

    def forward(self, x):
        self.calls += 1
        y = self.fc(x)
        if self.on:
            y = y * 2
        return y / self.calls if self.calls > 2 else y

    def switch(self, flag):
        self.on = flag


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.gates = nn.ModuleList([Gate(3), Gate(3, True)])
        with torch.no_grad():
            for i, p in enumerate(self.parameters()):
                p.copy_(torch.arange(float(p.numel())).reshape(p.shape).mul(0.1 + i).sin())

    def forward(self, x):
        for gate in self.gates:
            x = gate(x)
        return x
