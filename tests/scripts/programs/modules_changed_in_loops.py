"""Loops over modules, with names and without, that change parameters and options: each module comes before its parts."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class Block(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.norm = nn.LayerNorm(d)
        self.ff = nn.Sequential(nn.Linear(d, d), nn.GELU(), nn.Dropout(0.3), nn.Linear(d, d))
        self.scale = nn.Parameter(torch.full((d,), 0.5))

    def forward(self, x):
        return x + self.scale * self.ff(self.norm(x))


class Net(nn.Module):
    def __init__(self, d=4, depth=2):
        super().__init__()
        self.emb = nn.Embedding(7, d)
        self.blocks = nn.ModuleList([Block(d) for _ in range(depth)])
        self.head = nn.Linear(d, 7, bias=False)
        self.drop = nn.Dropout(0.1)
        for name, m in self.named_modules():
            if isinstance(m, nn.Linear):
                nn.init.constant_(m.weight, 0.02)
                if m.bias is not None:
                    nn.init.zeros_(m.bias)
            if isinstance(m, nn.Embedding):
                m.weight.data.copy_(torch.arange(28.0).reshape(7, 4) / 10)
        for child in self.children():
            if isinstance(child, nn.Linear):
                child.weight.data.mul_(2)

    def forward(self, x):
        h = self.drop(self.emb(x))
        for b in self.blocks:
            h = b(h)
        return self.head(h)


def set_dropout_(model, p):
    for module in model.modules():
        if isinstance(module, nn.Dropout):
            module.p = p


def halve(model):
    with torch.no_grad():
        for name, m in model.named_modules():
            if name.endswith("ff.0") and isinstance(m, nn.Linear):
                print(name)
                m.weight.mul_(0.5)
                m.bias += 1.0
            elif isinstance(m, Block):
                m.scale.add_(0.25)


def train():
    model = Net()
    set_dropout_(model, 0.0)
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    x = torch.tensor([[1, 2, 3]])
    for step in range(3):
        loss = F.cross_entropy(model(x).transpose(1, 2), x)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step == 1:
            halve(model)
        for name, m in model.named_children():
            if name == "head" and isinstance(m, nn.Linear):
                m.weight.data.mul_(0.9)
        print(f"{loss.item():.4f}")
    for n, p in model.named_parameters():
        print(n, f"{p.sum().item():.4f}")


train()


class Whole(nn.Module):
    def __init__(self):
        super().__init__()
        self.block = Block(4)
        for m in self.modules():
            if isinstance(m, nn.Linear):
                nn.init.ones_(m.weight)
            elif isinstance(m, Block):
                nn.init.zeros_(m.ff[0].weight)  # is seen before its parts, which come next


print(Whole().block.ff[0].weight.sum().item())
