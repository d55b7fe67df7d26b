import torch.nn as nn


class Block(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.fc = nn.Linear(dim, dim)
        self.norm = nn.BatchNorm1d(dim)

    def forward(self, x):
        return self.norm(self.fc(x))


class Net(nn.Module):
    def __init__(self, dim=3, depth=1, bias=True):
        super().__init__()
        self.blocks = nn.ModuleList([Block(dim) for _ in range(depth)])
        self.head = nn.Linear(dim, 2, bias)

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return self.head(x)


def count(model):
    return sum(p.numel() for p in model.parameters())


def small(pretrained=False, **kwargs):
    return Net(depth=2, **kwargs)


def large(pretrained=False, **kwargs):
    model = Net(dim=4, depth=3, **kwargs)
    return model
