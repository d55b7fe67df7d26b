"""A namespace of `types` that a module keeps in compiled code."""

from types import SimpleNamespace

import torch
import torch.nn as nn
import torch.nn.functional as F


def fill(model):
    with torch.no_grad():
        for i, p in enumerate(model.parameters()):
            p.copy_(torch.sin(torch.arange(p.numel(), dtype=torch.float32) * 0.7 + i).view(p.shape) * 0.3)


def run(model, x, y, lr=0.1, steps=3):
    fill(model)
    opt = torch.optim.SGD(model.parameters(), lr=lr, momentum=0.9)
    for _ in range(steps):
        opt.zero_grad()
        loss = F.mse_loss(model(x), y)
        loss.backward()
        opt.step()
        print(round(loss.item(), 5))
    model.eval()
    with torch.no_grad():
        print(model(x).sum().item())


class Net(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.cfg = cfg
        self.fc = nn.Linear(6, cfg.hidden)
        self.bn = nn.BatchNorm1d(cfg.hidden)
        self.head = nn.Linear(cfg.hidden, 2)

    def forward(self, x):
        h = self.bn(self.fc(x))
        assert vars(self.cfg)["hidden"] == h.shape[1] and self.cfg.names[1] == "b"
        return self.head(torch.relu(h) * self.cfg.scale)


run(
    Net(SimpleNamespace(hidden=5, scale=0.5, names=["a", "b"])),
    torch.sin(torch.arange(24.0)).view(4, 6),
    torch.cos(torch.arange(8.0)).view(4, 2),
)
