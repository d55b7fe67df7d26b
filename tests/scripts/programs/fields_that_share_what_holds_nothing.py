# also: nnx, linen
"""Two fields hold one layer without parameters where there is nothing to do, and layers of their own elsewhere."""

import torch
import torch.nn as nn


def fill(model):
    with torch.no_grad():
        for i, p in enumerate(model.parameters()):
            p.copy_(torch.sin(torch.arange(p.numel(), dtype=torch.float32) * 0.7 + i).view(p.shape) * 0.3)


class Up(nn.Module):
    def __init__(self, dim, learned=False):
        super().__init__()
        self.learned = learned
        if learned:
            self.fc = nn.Linear(dim, dim)

    def forward(self, x):
        x = torch.cat([x, x], 0)
        return self.fc(x) if self.learned else x


class Block(nn.Module):
    def __init__(self, dim, up=False, down=False):
        super().__init__()
        self.updown = up or down
        if up:
            self.h_upd = Up(dim, True)
            self.x_upd = Up(dim)
        elif down:
            self.h_upd = nn.Linear(dim, dim)
            self.x_upd = nn.Linear(dim, dim)
        else:
            self.h_upd = self.x_upd = nn.Identity()
        self.out = nn.Linear(dim, dim)

    def forward(self, x):
        if self.updown:
            h = self.h_upd(self.out(x))
            return self.x_upd(x) + h
        return self.x_upd(x) + self.h_upd(self.out(x))


net = nn.Sequential(Block(3), Block(3, up=True), Block(3, down=True))
fill(net)
x = torch.sin(torch.arange(6.0)).view(2, 3)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(3):
    loss = (net(x) - 1).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(loss.item())
print([name for name, _ in net.named_parameters()])
