# flagged: T2J201, T2J605
"""A whole model with running statistics in a file: read again: its state stands beside it, and what is read is the model alone."""

import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 2)
        self.norm = nn.BatchNorm1d(2)
        nn.init.ones_(self.fc.weight)
        nn.init.ones_(self.fc.bias)
        self.act = nn.Sequential(nn.ReLU(), nn.GELU(), nn.Tanh(), nn.Softmax(dim=1), nn.Dropout(0.5))
        self.parts = nn.ModuleList([nn.Linear(2, 2, bias=False)])
        nn.init.eye_(self.parts[0].weight)

    def forward(self, x):
        return self.parts[0](self.act(self.norm(self.fc(x))))


def save():
    net = Net()
    torch.save(net, "net.pkl")
    torch.save({"model": net, "epoch": 3}, "both.pkl")
    torch.save(net.state_dict(), "params.pkl")


save()
net = torch.load("net.pkl", weights_only=False)
print(net(torch.ones(3, 2)).sum().item())
