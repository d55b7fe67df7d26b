import torch.nn as nn


class Net(nn.Module):
    def __init__(self, n):
        super().__init__()
        shared, other, again, plain = nn.Linear(3, 3), nn.Linear(3, 3), nn.Linear(3, 3), nn.Tanh()
        self.a = nn.ModuleList([nn.Linear(3, 3)] * n)  # T2J604
        self.b = nn.Sequential(*[nn.Linear(3, 3), nn.Tanh()] * n)  # T2J604
        self.c = nn.Sequential(shared, plain, shared, plain)  # T2J604
        self.d = nn.ModuleList([other for _ in range(n)])  # T2J604
        layers = []
        for _ in range(n):
            layers += [again, nn.ReLU()]  # T2J604
        self.e = nn.Sequential(*layers)
        fine = []
        for _ in range(n):
            layer = nn.Linear(3, 3)
            fine.append(layer)
            fine.append(plain)
        self.f = nn.Sequential(*fine)
        self.g = nn.Sequential(*[nn.ReLU()] * n)
        self.h = nn.ModuleList([nn.Linear(3, 3) for _ in range(n)] * 1)
        sizes = [3] * n
        self.i = nn.ModuleList([nn.Linear(size, size) for size in sizes])
        grown = [nn.Linear(3, 3)]  # T2J604
        grown *= n
        self.j = nn.ModuleList(grown)


def repeated(layer, n):
    return nn.Sequential(*[layer for _ in range(n)])  # T2J604


def several(n):
    layer = nn.Linear(3, 3)
    yield from [layer] * n


model = nn.Sequential(repeated(nn.Linear(3, 3), 2), nn.ReLU())
