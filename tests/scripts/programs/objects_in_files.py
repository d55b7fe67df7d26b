# also: nnx
"""Checkpoints hold objects of the program's own classes, and whole models that keep such."""

import dataclasses
import torch
import torch.nn as nn


@dataclasses.dataclass
class Config:
    dim: int = 4
    hidden: int = 5


class Net(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.cfg = cfg
        self.a = nn.Linear(cfg.dim, cfg.hidden)
        self.b = nn.Linear(cfg.hidden, 2)

    def forward(self, x):
        return self.b(torch.relu(self.a(x)))


def fill(model):
    with torch.no_grad():
        for i, p in enumerate(model.parameters()):
            p.copy_(torch.sin(torch.arange(p.numel(), dtype=torch.float32) + i).reshape(p.shape) * 0.3)


net = Net(Config())
fill(net)
opt = torch.optim.Adam(net.parameters(), lr=0.01)
x = torch.cos(torch.arange(12.0)).reshape(3, 4)
loss = net(x).pow(2).mean()
loss.backward()
opt.step()
torch.save(
    {"cfg": Config(4, 5), "model": net.state_dict(), "opt": opt.state_dict(), "epoch": 3, "best": loss.item(), "x": x},
    "ck.pt",
)
ck = torch.load("ck.pt", weights_only=False)
print(ck["cfg"], ck["epoch"], round(ck["best"], 4), ck["x"].sum().item())
other = Net(ck["cfg"])
other.load_state_dict(ck["model"])
opt2 = torch.optim.Adam(other.parameters(), lr=0.01)
opt2.load_state_dict(ck["opt"])
print(other(x).sum().item())
torch.save(net, "net.pt")
third = torch.load("net.pt", weights_only=False)
print(third(x).sum().item(), third.cfg)
third.eval()
ck2 = torch.load("ck.pt", map_location="cpu", weights_only=False)
print(sorted(ck2))
