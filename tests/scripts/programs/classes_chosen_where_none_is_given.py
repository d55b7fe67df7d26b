# also: nnx, linen
import torch
from torch import nn


class CNNBase(nn.Module):
    def __init__(self, n, hidden=4):
        super().__init__()
        self.main = nn.Sequential(nn.Conv2d(n, hidden, 3), nn.ReLU(), nn.Flatten(), nn.Linear(hidden * 4, hidden))
        self.out = hidden

    def forward(self, x):
        return self.main(x)


class MLPBase(nn.Module):
    def __init__(self, n, hidden=4):
        super().__init__()
        self.main = nn.Sequential(nn.Linear(n, hidden), nn.Tanh())
        self.out = hidden

    def forward(self, x):
        return self.main(x)


class Policy(nn.Module):
    def __init__(self, shape, base=None, base_kwargs=None):
        super().__init__()
        if base_kwargs is None:
            base_kwargs = {}
        if base is None:
            if len(shape) == 3:
                base = CNNBase
            elif len(shape) == 1:
                base = MLPBase
            else:
                raise NotImplementedError
        self.base = base(shape[0], **base_kwargs)
        self.head = nn.Linear(self.base.out, 2)

    def forward(self, x):
        return self.head(self.base(x))


torch.manual_seed(0)
for shape in ((3, 4, 4), (5,)):
    net = Policy(shape, base_kwargs={"hidden": 6})
    with torch.no_grad():
        for i, p in enumerate(net.parameters()):
            p.copy_(torch.linspace(-1, 1, p.numel()).reshape(p.shape) * (i + 1) / 5)
    n = 2
    for s in shape:
        n *= s
    print(net(torch.linspace(0, 1, n).reshape(2, *shape)).tolist())
