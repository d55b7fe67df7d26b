# also: nnx
"""Modes of parts that a module reads by computed names, or keeps in a variable, are modes of the parts."""

import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self, stages, kind="method"):
        super().__init__()
        self.stages = stages
        self.conv = nn.Linear(4, 4)
        self.layer1 = nn.Sequential(nn.Linear(4, 4), nn.BatchNorm1d(4))
        self.layer2 = nn.Sequential(nn.Linear(4, 4), nn.BatchNorm1d(4))
        self.layer3 = nn.BatchNorm1d(4)
        if kind == "method":
            self._freeze_stages()
        elif kind == "names":
            for name in ("layer1", "layer3"):
                getattr(self, name).eval()
        else:
            last = self.layer3
            last.eval()
            print(last(torch.ones(2, 4)).sum().item())

    def _freeze_stages(self):
        if self.stages > 1:
            first = self.layer1
            first.eval()
        for i in range(1, self.stages + 1):
            m = getattr(self, f"layer{i}")
            m.eval()
            for param in m.parameters():
                param.requires_grad = False

    def forward(self, x):
        x = torch.tanh(self.conv(x))
        for i in range(1, 4):
            x = torch.tanh(getattr(self, f"layer{i}")(x))
        return x


def fill(model):
    with torch.no_grad():
        for i, p in enumerate(model.parameters()):
            p.copy_(torch.cos(torch.arange(p.numel()).float() + i).reshape(p.shape) * 0.3)


for stages, kind in [(0, "method"), (1, "method"), (2, "method"), (3, "method"), (0, "names"), (0, "last")]:
    net = Net(stages, kind)
    fill(net)
    optimizer = torch.optim.SGD([p for p in net.parameters() if p.requires_grad], lr=0.1)
    x = torch.linspace(-1, 1, 16).reshape(4, 4)
    for step in range(2):
        optimizer.zero_grad()
        loss = (net(x) - 1).pow(2).sum()
        loss.backward()
        optimizer.step()
        print(step, f"{loss.item():.4f}")
    print([f"{b.float().sum().item():.4f}" for b in net.buffers()])
    net.train()
    print(f"{net(x).abs().sum().item():.4f}")
    net.eval()
    print(f"{net(x).abs().sum().item():.4f}")
