"""Classes that derive from convolutions of volumes, transposed ones and bilinear layers, with paddings of other kinds."""
# also: nnx, linen

import torch
import torch.nn as nn
import torch.nn.functional as F


class Volume(nn.Conv3d):
    __doc__ = nn.Conv3d.__doc__

    def forward(self, x):
        return super().forward(x) * 2


class Round(nn.Conv2d):
    def forward(self, x):
        if self.padding_mode == "circular":
            return super().forward(x) + 1
        return F.conv2d(x, self.weight, self.bias, self.stride, self.padding, self.dilation, self.groups)


class Mirrored(nn.Conv1d):
    def forward(self, x):
        return super().forward(x) - 1


class Grown(nn.ConvTranspose3d):
    def forward(self, x):
        return F.relu(super().forward(x))


class Longer(nn.ConvTranspose1d):
    def forward(self, x):
        return super().forward(x)[:, :, 1:]


class Pairs(nn.Bilinear):
    __doc__ = nn.Bilinear.__doc__

    def forward(self, a, b, params=None):
        weight = self.weight if params is None else params
        return F.bilinear(a, b, weight, self.bias)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.volume = Volume(2, 4, (2, 3, 2), padding=1, groups=2)
        self.grown = Grown(4, 2, 2, stride=2)
        self.round = Round(2, 3, 3, padding=1, padding_mode="circular")
        self.plain = Round(3, 3, 3, padding=1)
        self.mirrored = Mirrored(3, 2, 3, padding=(1,), padding_mode="reflect")
        self.longer = Longer(2, 3, 3, stride=2)
        self.pairs = Pairs(3, 3, 2)

    def forward(self, x):
        y = self.grown(self.volume(x)).mean(2)
        y = self.mirrored(self.plain(self.round(y)).mean(3))
        y = self.longer(y).mean(2)
        return self.pairs(y, y.flip(1)) + self.pairs(y, y, torch.ones(2, 3, 3))


net = Net()
with torch.no_grad():
    for i, p in enumerate(net.parameters()):
        p.copy_(torch.arange(p.numel()).view(p.shape).sin() * 0.3)
opt = torch.optim.SGD(net.parameters(), lr=0.01)
x = torch.arange(2 * 2 * 3 * 4 * 5.0).view(2, 2, 3, 4, 5).cos()
for _ in range(3):
    opt.zero_grad()
    loss = (net(x) ** 2).mean()
    loss.backward()
    opt.step()
    print(loss.item())
print([tuple(p.shape) for p in net.parameters()])
fresh = Pairs(4, 5, 6)
print(float(fresh.weight.abs().max()) <= 0.5, tuple(fresh.weight.shape))


class Blocks(nn.Sequential):
    __doc__ = nn.Sequential.__doc__


class Plain(Round):
    __doc__ = nn.Conv2d.__doc__


print(len(Blocks(nn.ReLU(), Plain(3, 3, 3))))
