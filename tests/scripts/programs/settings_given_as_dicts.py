# also: nnx, linen
from functools import partial

import torch
from torch import nn

OPTIONS = {"bias": True}


class Net(nn.Module):
    def __init__(self, dim, options=dict(), sizes=list()):
        super().__init__()
        self.options = options
        self.fc = nn.Linear(dim, 1, **options)
        self.count = len(sizes)
        nn.init.constant_(self.fc.weight, 0.5)
        nn.init.constant_(self.fc.bias, 0.25)

    def forward(self, x):
        return self.fc(x) + self.count


class Named(nn.Module):
    def __init__(self, dim, options=OPTIONS, act=partial(torch.mul, other=2.0)):
        super().__init__()
        self.act = act
        self.fc = nn.Linear(dim, 1, bias=options["bias"])
        nn.init.constant_(self.fc.weight, 0.5)
        nn.init.constant_(self.fc.bias, 0.25)

    def forward(self, x):
        return self.act(self.fc(x))


x = torch.linspace(-1, 1, 6).reshape(2, 3)
print(Net(3)(x).sum().item(), Net(3, sizes=[1, 2])(x).sum().item())
print(Named(3)(x).sum().item())
