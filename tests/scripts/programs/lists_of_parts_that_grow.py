# also: nnx, linen
"""Lists and dicts of parts grow while modules are made: in loops, in methods, in a list of lists, beside other parts."""

import torch
import torch.nn as nn


def fill(model):
    with torch.no_grad():
        for i, p in enumerate(model.parameters()):
            p.copy_(torch.sin(torch.arange(p.numel(), dtype=torch.float32) * (0.1 + 0.01 * i)).reshape(p.shape) * 0.3)


class Attention(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.q = nn.Linear(dim, dim)

    def forward(self, x):
        return torch.tanh(self.q(x))


class Block(nn.Module):
    def __init__(self, dim, depth, kinds=("a", "b")):
        super().__init__()
        self.layers = nn.ModuleList([])
        self.norms = nn.ModuleList()
        self.stem = nn.Linear(3, dim)
        self.heads = nn.ModuleDict()
        for i in range(depth):
            pair = nn.ModuleList()
            pair.append(nn.Linear(dim, dim))
            pair.append(nn.ReLU())
            self.layers.append(nn.ModuleList([Attention(dim), nn.Sequential(nn.Linear(dim, dim), nn.ReLU()), pair]))
            self.norms.append(nn.LayerNorm(dim))
            if i == 1:
                self.norms.extend([nn.LayerNorm(dim), nn.Identity()])
        for k in kinds:
            self.heads[k] = nn.Linear(dim, 1)
        self.heads["c"] = nn.Linear(dim, 2)
        self.grow_more(dim)
        self.depth = len(self.layers)
        print(sum(p.numel() for p in self.heads.parameters()))

    def grow_more(self, dim):
        self.norms.append(nn.LayerNorm(dim))
        self.norms += [nn.LayerNorm(dim)]

    def forward(self, x, kind="a"):
        x = self.stem(x)
        for (attn, ff, (linear, act)), norm in zip(self.layers, self.norms):
            x = act(linear(ff(norm(attn(x))))) + x
        x = self.norms[-1](x)
        return self.heads[kind](x) * self.depth


model = Block(4, 3)
fill(model)
x = torch.arange(6, dtype=torch.float32).reshape(2, 3)
print(sum(p.numel() for p in model.parameters()), len(model.norms))
print(sum(p.numel() for p in model.layers.parameters()), len(list(model.norms.parameters())))
opt = torch.optim.SGD(model.parameters(), lr=0.05)
for step in range(3):
    loss = model(x).pow(2).mean() + model(x, "c").sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(loss.item())
