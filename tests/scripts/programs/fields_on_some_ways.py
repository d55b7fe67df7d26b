import torch
from torch import nn


class Head(nn.Module):
    def __init__(self, two):
        super().__init__()
        self.two = two
        if two:
            self.a = nn.Linear(2, 2)
        else:
            self.out = nn.Linear(2, 3)

    def forward(self, x):
        if self.two:
            return self.a(x)
        return self.out(x)


class Block(nn.Module):
    def __init__(self, a, b, mask=False):
        super().__init__()
        self.fc = nn.Linear(a, b)
        if a != b:
            self.shortcut = nn.Sequential(nn.Linear(a, b))
        if not mask:
            return
        self.register_buffer("mask", torch.tril(torch.ones(b, b)))

    def forward(self, x):
        shortcut = self.shortcut(x) if hasattr(self, "shortcut") else x
        y = self.fc(x) + shortcut
        if not hasattr(self, "mask"):
            return y
        return y @ self.mask


class Kind(nn.Module):
    def __init__(self, kind):
        super().__init__()
        if kind == "a":
            self.layer = nn.Linear(1, 1)
        elif kind == "b":
            self.layer = nn.Linear(1, 2)
        else:
            raise ValueError(kind)

    def forward(self, x):
        return self.layer(x)


def has_mask(module):
    return hasattr(module, "mask")


for module in (Head(True), Head(False), Block(2, 2), Block(2, 3), Block(2, 2, mask=True), Kind("b")):
    with torch.no_grad():
        for p in module.parameters():
            p.fill_(0.1)
    print([name for name, _ in module.named_parameters()], has_mask(module))
x = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
print(Head(True)(x).shape, Head(False)(x).shape, Kind("b")(x[:, :1]).shape)
for a, b, mask in ((2, 2, False), (2, 3, False), (2, 2, True)):
    block = Block(a, b, mask)
    with torch.no_grad():
        for p in block.parameters():
            p.fill_(0.1)
    print(block(x).tolist(), has_mask(block))
