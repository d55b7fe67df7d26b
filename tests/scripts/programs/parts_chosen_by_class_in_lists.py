"""Plain lists of those parts in a list of modules that are of a class."""

import torch
import torch.nn as nn


def fill(net):
    with torch.no_grad():
        for p in net.parameters():
            p.copy_(torch.sin(torch.arange(p.numel(), dtype=torch.float32)).view_as(p) * 0.3)


class Scaled(nn.Module):
    def __init__(self, scale):
        super().__init__()
        self.scale = scale
        self.fc = nn.Linear(4, 4)

    def forward(self, x):
        return self.fc(x) * self.scale


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.attn = nn.Linear(4, 4)
        self.norm = nn.BatchNorm1d(4)

    def forward(self, x):
        return self.norm(self.attn(x)) + x


def make(n):
    parts = nn.ModuleList()
    for i in range(n):
        seq = nn.Sequential()
        if i % 2:
            seq.add_module(f"scaled_{i}", Scaled(float(i)))
        else:
            seq.add_module(f"fc_{i}", nn.Linear(4, 4))
        parts.append(seq)
    return n, parts


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.count, self.parts = make(4)
        self.scaled = [part[0] for part in self.parts if isinstance(part[0], Scaled)]
        self.blocks = nn.ModuleList([Block() for _ in range(2)])
        self.attns = [block.attn for block in self.blocks]

    def forward(self, x):
        for part in self.parts:
            x = part(x)
        for block in self.blocks:
            x = block(x)
        for scaled in self.scaled:
            x = x + scaled.fc(x)
        return torch.tanh(x + self.attns[0](x))


net = Net()
fill(net)
opt = torch.optim.SGD(net.parameters(), lr=0.01)
x = torch.linspace(-1, 1, 24).view(6, 4)
for i in range(3):
    opt.zero_grad()
    loss = net(x).pow(2).mean()
    loss.backward()
    opt.step()
    print(loss.item())
print(len(net.scaled), [part.scale for part in net.scaled], len(net.state_dict()), len(list(net.parameters())))
print([attn.weight.sum().item() for attn in net.attns])
for part in net.scaled:
    print(part.fc.weight.sum().item())
net.eval()
print(net(x).sum().item())
# also: nnx, linen
