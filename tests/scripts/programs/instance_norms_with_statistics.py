# also: nnx, linen
"""Norms of instances that keep running statistics: trained, evaluated, saved and loaded, by partials and by settings."""

import functools

import torch
import torch.nn as nn


class Block(nn.Module):
    def __init__(self, channels, norm):
        super().__init__()
        self.conv = nn.Conv2d(channels, channels, 3, padding=1)
        self.norm = norm(channels)

    def forward(self, x):
        return x + torch.relu(self.norm(self.conv(x)))


class Net(nn.Module):
    def __init__(self, norm):
        super().__init__()
        self.model = nn.Sequential(nn.Conv2d(1, 4, 3), norm(4), nn.ReLU(), Block(4, norm))
        self.line = nn.InstanceNorm1d(4, 1e-3, None, True, True)
        self.plain = nn.InstanceNorm1d(4, affine=True)

    def forward(self, x):
        y = self.model(x).flatten(2)
        return self.plain(self.line(y)).square().mean((1, 2)) + y.mean((1, 2))


def get_norm(kind, tracked=True):
    if kind == "batch":
        return functools.partial(nn.BatchNorm2d, affine=True, track_running_stats=True)
    return functools.partial(nn.InstanceNorm2d, affine=False, track_running_stats=tracked)


def fill(net):
    with torch.no_grad():
        for p in net.parameters():
            p.copy_(torch.sin(torch.arange(p.numel()).float() + 1).view(p.shape))


net = Net(get_norm("instance"))
fill(net)
x = torch.cos(torch.arange(128).float()).view(2, 1, 8, 8)
opt = torch.optim.SGD(net.parameters(), lr=0.01)
for step in range(3):
    loss = (net(x + step) - 1).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(loss.item(), net.model[1].running_mean.sum().item(), net.model[3].norm.running_var.sum().item())
print(sorted(net.state_dict()), net.line.num_batches_tracked.item(), net.line.running_var.tolist())
net.eval()
print(net(x).tolist())
other = Net(get_norm("instance"))
other.load_state_dict(net.state_dict())
print(other.eval()(x * 2).tolist())
other.train()
print(other(x * 2).tolist(), other.model[1].running_mean.tolist())
untracked = Net(get_norm("instance", False))
fill(untracked)
print(untracked.eval()(x).tolist(), len(untracked.state_dict()))
for m in net.modules():
    if isinstance(m, (nn.BatchNorm2d, nn.InstanceNorm2d)):
        print(m.running_mean.sum().item())
volume = nn.InstanceNorm3d(2, track_running_stats=True, momentum=0.5)
z = torch.arange(96.0).reshape(3, 2, 4, 2, 2).sin()
print(volume(z).sum().item(), volume.running_var.tolist())
