# also: nnx, linen
import logging
import math
import sys

import torch
from torch import nn

logging.basicConfig(stream=sys.stdout, level=logging.INFO, format="%(message)s")
log = logging.getLogger("net")
NOTES = []
STATS = {}


class Net(nn.Module):
    def __init__(self, kind):
        super().__init__()
        self.kind = kind
        self.fc = nn.Linear(3, 3)

    def forward(self, x):
        y = self.fc(x)
        if self.kind == "logging":
            log.info("mean %.3f", y.mean())
        if self.kind == "logf":
            log.info(f"mean {y.mean():.3f}")
        if self.kind == "stats":
            STATS["mean"] = round(float(y.mean()), 4)
        if self.kind == "statsnum":
            STATS["n"] = STATS.get("n", 0) + int((y > 0).sum())
        if self.kind == "max":
            NOTES.append(max(round(v, 3) for v in y[0].tolist()))
        if self.kind == "math":
            y = y * math.exp(-y.abs().max())
        if self.kind == "sorted":
            NOTES.append(sorted([round(float(v), 3) for v in y[0]])[0])
        if self.kind == "list":
            NOTES.append([round(v.item(), 3) for v in y.mean(0)])
        if self.kind == "minmax":
            lo, hi = y.min().item(), y.max().item()
            y = (y - lo) / (hi - lo)
        if self.kind == "isclose":
            if not math.isclose(y.sum(), 0.0):
                NOTES.append(1)
        return y


def train(kind):
    net = Net(kind)
    with torch.no_grad():
        for i, p in enumerate(net.parameters()):
            p.copy_(torch.linspace(-1, 1, p.numel()).reshape(p.shape) * (i + 1) / 5)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    x = torch.linspace(0, 1, 6).reshape(2, 3)
    for _ in range(3):
        optimizer.zero_grad()
        loss = (net(x) - 0.3).square().mean()
        loss.backward()
        optimizer.step()
        print(kind, f"{loss.item():.5f}")


for kind in ("logging", "logf", "stats", "statsnum", "max", "math", "sorted", "list", "minmax", "isclose"):
    train(kind)
print(len(NOTES), NOTES, sorted(STATS.items()))
