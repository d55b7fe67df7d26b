"""Classes that derive from layers with statistics, from dropout, encoder layers and losses train as they do in torch."""

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.nn.modules.loss import _Loss


class ScaledNorm(nn.BatchNorm2d):
    def __init__(self, n):
        super().__init__(n, eps=1e-3)
        self.gain = nn.Parameter(torch.ones(n) * 2)

    def forward(self, x):
        return super().forward(x) * self.gain.view(1, -1, 1, 1)


class ConditionalNorm(nn.BatchNorm1d):
    def __init__(self, n, width):
        super().__init__(n, affine=False)
        self.scale = nn.Linear(width, n)

    def forward(self, x, c):
        return super().forward(x) * (1 + self.scale(c))


class RowDropout(nn.Dropout):
    def forward(self, x):
        if not self.training or self.p == 0:
            return x
        return x * x.new_ones(x.size(0), 1) / 2


class Layer(nn.TransformerEncoderLayer):
    def forward(self, x, src_mask=None, **options):
        x = x + self._sa_block(self.norm1(x), src_mask, None)
        return x + self.linear2(self.dropout(self.activation(self.linear1(self.norm2(x)))))


class Scaled(nn.TransformerEncoderLayer):
    def __init__(self, d, h):
        super().__init__(d, h, 16, dropout=0.0, activation="gelu", norm_first=True, batch_first=True)
        self.scale = nn.Parameter(torch.ones(d))

    def forward(self, x):
        return super().forward(x * self.scale)


class Dice(_Loss):
    def __init__(self, smooth=1.0):
        super().__init__()
        self.smooth = smooth

    def forward(self, a, b):
        found = 1 - (2 * (a * b).sum(1) + self.smooth) / (a.sum(1) + b.sum(1) + self.smooth)
        return found.mean() if self.reduction == "mean" else found


class Tempered(nn.CrossEntropyLoss):
    def __init__(self, t, weight=None):
        super().__init__(weight=weight)
        self.t = t

    def forward(self, x, y):
        return super().forward(x / self.t, y)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = ScaledNorm(3)
        self.cond = ConditionalNorm(3, 2)
        self.drop = RowDropout(0.5)
        self.layers = nn.ModuleList([Layer(8, 2, 16, 0.0, batch_first=True), Scaled(8, 2)])
        for i, p in enumerate(self.parameters()):
            nn.init.constant_(p, 0.05 * (i % 3 + 1))
        for m in self.modules():
            if isinstance(m, nn.BatchNorm2d):
                nn.init.constant_(m.weight, 0.5)

    def forward(self, x, c):
        y = self.norm(x).mean((2, 3))
        y = self.drop(self.cond(y, c))
        z = x.flatten(2)[:, :, :8]
        for layer in self.layers:
            z = layer(z)
        return torch.cat([y, z.mean(2)], 1)


net = Net()
x, c = torch.arange(150.0).view(2, 3, 5, 5).sin(), torch.tensor([[1.0, 2.0], [3.0, 4.0]])
opt = torch.optim.SGD(net.parameters(), lr=0.1)
loss_fn, dice = Tempered(2.0), Dice()
weighted = Tempered(2.0, weight=torch.arange(1.0, 7.0))
for i in range(3):
    out = net(x, c)
    loss = loss_fn(out, torch.tensor([1, 5])) + dice(torch.sigmoid(out), torch.ones_like(out))
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(loss.item())
print(net.norm.num_batches_tracked.item(), net.norm.running_var.sum().item(), net.cond.running_mean.sum().item())
print([name for name, _ in net.named_parameters()])
net.eval()
out = net(x, c)
print(out.sum().item(), weighted(out, torch.tensor([1, 5])).item())
print(isinstance(net.norm, nn.BatchNorm2d), isinstance(net.drop, nn.Dropout), isinstance(net.cond, nn.BatchNorm2d))
