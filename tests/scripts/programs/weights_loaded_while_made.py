# also: nnx
"""Modules that load weights while they are made, in `__init__` or in methods that it calls."""

import os
import tempfile

import torch
from torch import nn

FOLDER = tempfile.mkdtemp()


def path(name):
    return os.path.join(FOLDER, f"{name}.pth")


class Backbone(nn.Module):
    def __init__(self, pretrained=False):
        super().__init__()
        self.conv = nn.Conv2d(1, 2, 3)
        self.bn = nn.BatchNorm2d(2)
        self.head = nn.Linear(2, 3)
        self._init_weight()
        if pretrained:
            self._load_pretrained_model()

    def forward(self, x):
        return self.head(self.bn(self.conv(x)).mean((2, 3)))

    def _init_weight(self):
        for m in self.modules():
            if isinstance(m, nn.Conv2d):
                m.weight.data.fill_(0.5)
            elif isinstance(m, nn.BatchNorm2d):
                m.weight.data.fill_(1)
                m.bias.data.zero_()

    def _load_pretrained_model(self):
        pretrain_dict = torch.load(path("backbone"))
        model_dict = {}
        state_dict = self.state_dict()
        for k, v in pretrain_dict.items():
            if k in state_dict:
                model_dict[k] = v
        state_dict.update(model_dict)
        self.load_state_dict(state_dict)


class Direct(nn.Module):
    def __init__(self, checkpoint=None, scale=1.0):
        super().__init__()
        self.scale = scale
        self.conv = nn.Conv2d(1, 2, 3)
        self.bn = nn.BatchNorm2d(2)
        self.head = nn.Linear(2, 3)
        if checkpoint is not None:
            self.load_state_dict(torch.load(checkpoint), strict=False)
        self.extra = nn.Parameter(torch.ones(3))

    def forward(self, x):
        return self.scale * self.head(self.bn(self.conv(x)).mean((2, 3))) + self.extra


class Plain(nn.Module):
    def __init__(self, weights=None):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 2))
        self.register_buffer("shift", torch.zeros(2))
        if weights:
            self.load_state_dict(weights)

    def forward(self, x):
        return self.body(x) + self.shift


class Whole(nn.Module):
    def __init__(self, pretrained):
        super().__init__()
        self.backbone = Backbone(pretrained)
        self.top = nn.Linear(3, 1)
        nn.init.constant_(self.top.weight, 0.5)
        nn.init.constant_(self.top.bias, 0.1)

    def forward(self, x):
        return self.top(self.backbone(x))


x = torch.linspace(-1, 2, 50).view(2, 1, 5, 5)
net = Backbone()
with torch.no_grad():
    for i, p in enumerate(net.parameters()):
        p.copy_(torch.linspace(-0.5, 1.0, p.numel()).view(p.shape) + 0.1 * i)
net(x)
net(2 * x)
torch.save(net.state_dict(), path("backbone"))
net.eval()
print(net(x).tolist())

other = Backbone(pretrained=True)
print(other.bn.num_batches_tracked.item(), other.bn.running_mean.tolist())
print(other(x).tolist())
other.eval()
print(other(x).tolist())

direct = Direct(path("backbone"), 2.0)
direct.eval()
print(direct(x).tolist(), [name for name, _ in direct.named_parameters()])

whole = Whole(True)
whole.eval()
print(whole(x).tolist())

values = {
    "body.0.weight": torch.linspace(0, 1, 12).view(4, 3),
    "body.0.bias": torch.ones(4),
    "body.2.weight": torch.linspace(-1, 1, 8).view(2, 4),
    "body.2.bias": torch.zeros(2),
    "shift": torch.tensor([1.0, 2.0]),
}
plain = Plain(values)
optimizer = torch.optim.SGD(plain.parameters(), lr=0.1)
y = torch.linspace(-1, 1, 6).view(2, 3)
for _ in range(3):
    optimizer.zero_grad()
    loss = plain(y).pow(2).mean()
    loss.backward()
    optimizer.step()
    print(loss.item())
print(plain.shift.tolist())
