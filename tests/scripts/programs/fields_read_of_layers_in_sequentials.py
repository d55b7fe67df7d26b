# also: nnx, linen
# Fields of a layer that may be an Identity.
import torch
import torch.nn as nn
import torch.nn.functional as F


class Tok(nn.Module):
    def __init__(self, pool=True):
        super().__init__()
        self.pool = pool
        self.layers = nn.Sequential(nn.Conv1d(2, 3, 3, 2, 1), nn.ReLU(), nn.MaxPool1d(kernel_size=3, stride=2, padding=1) if pool else nn.Identity())

    def forward(self, x):
        y = self.layers(x)
        m = x[:, :1] > 0
        m = F.conv1d(m.float(), torch.ones(1, 1, self.layers[0].kernel_size[0]), None, self.layers[0].stride[0], self.layers[0].padding[0])
        if self.pool:
            m = F.max_pool1d(m, self.layers[2].kernel_size, self.layers[2].stride, self.layers[2].padding)
        return y, m


class Tok2(nn.Module):
    def __init__(self, pool=True):
        super().__init__()
        self.pool = pool
        self.layers = nn.Sequential(nn.Conv2d(2, 3, 3, 2, 1), nn.ReLU(), nn.MaxPool2d(kernel_size=(3, 1), stride=(2, 1), padding=(1, 0)) if pool else nn.Identity())

    def forward(self, x):
        y = self.layers(x)
        m = x[:, :1] > 0
        if self.pool:
            m = F.max_pool1d(m.float()[:, 0], self.layers[2].kernel_size[0], self.layers[2].stride[0], self.layers[2].padding[0], 1, False, False)
        return y, m


torch.manual_seed(0)
for pool in (True, False):
    t = Tok(pool)
    with torch.no_grad():
        for p in t.parameters():
            p.copy_(torch.sin(torch.arange(p.numel()).float() * 0.7 + 1).view(p.shape) * 0.5)
    y, m = t(torch.sin(torch.arange(40.0)).view(2, 2, 10))
    print(y.sum().item(), m.sum().item(), y.shape, m.shape)
    t = Tok2(pool)
    with torch.no_grad():
        for p in t.parameters():
            p.copy_(torch.sin(torch.arange(p.numel()).float() * 0.7 + 1).view(p.shape) * 0.5)
    y, m = t(torch.sin(torch.arange(160.0)).view(2, 2, 10, 4))
    print(y.sum().item(), m.sum().item(), y.shape, m.shape)
