# flagged: T2J303
import torch
import torch.nn as nn
import torch.nn.functional as F


def fill(module):
    with torch.no_grad():
        for i, p in enumerate(module.parameters()):
            p.copy_(torch.sin(torch.arange(p.numel(), dtype=torch.float32) * (0.7 + 0.1 * i)).reshape(p.shape) * 0.3)


def data(n, d):
    return torch.cos(torch.arange(n * d, dtype=torch.float32) * 0.37).reshape(n, d)


class Net(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.cfg = cfg
        self.fc = nn.Linear(3, 2)

    def forward(self, x):
        return self.fc(x) * self.cfg["scale"]


cfg = {"scale": 2.0}
net = Net(cfg)
fill(net)
opt = torch.optim.SGD(net.parameters(), lr=0.05)
for i in range(3):
    opt.zero_grad()
    loss = net(data(4, 3)).pow(2).mean()
    loss.backward()
    opt.step()
    cfg["scale"] *= 0.5
    print(f"{loss.item():.4f}")
