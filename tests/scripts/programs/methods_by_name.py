# also: nnx
"""Methods that are chosen by a name put together: each takes what the others of that form take."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, kind):
        super().__init__()
        self.fc = nn.Linear(3, 3)
        self.bn = nn.BatchNorm1d(3)
        self.kind = kind
        for p in self.parameters():
            nn.init.constant_(p, 0.5)

    def forward_plain(self, x):
        return self.fc(x)

    def forward_norm(self, x):
        return self.bn(self.fc(x))

    def noise_none(self, x):
        return x * 2

    def noise_some(self, x):
        return x + torch.rand_like(x)

    def forward(self, x, mode="plain"):
        noise = getattr(self, f"noise_{self.kind}")
        return noise(getattr(self, "forward_" + mode)(x))


class Bank:
    def random_values(self, n):
        return torch.rand(n)

    def zero_values(self, n):
        return torch.zeros(n)


x = torch.arange(6.0).reshape(2, 3)
for kind in ("none", "some"):
    net = Net(kind)
    for mode in ("plain", "norm"):
        y = net(x, mode)
        print(y.shape, bool((y >= net.noise_none(net.fc(x) * 0 - 2)).all()))
    print(net.bn.running_mean.tolist())
print(Net("none")(x, "norm").sum().item())
bank = Bank()
for kind in ("random", "zero"):
    print(getattr(bank, kind + "_values")(3).shape, getattr(bank, "{}_values".format(kind))(2).shape)
