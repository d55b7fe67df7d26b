# also: nnx
"""Options of layers and functions that stand in dicts, some of which change before they are used."""

import torch
import torch.nn as nn
import torch.nn.functional as F

CONV = {"kernel_size": 3, "padding": 1}


class Net(nn.Module):
    def __init__(self, dtype=torch.float32):
        super().__init__()
        options = {"device": "cpu", "dtype": dtype}
        self.conv = nn.Conv2d(1, 2, **CONV, bias=False)
        self.head = nn.Linear(2, 3, **options)
        self.attend = nn.MultiheadAttention(3, 1, **options)
        for parameter in self.parameters():
            nn.init.constant_(parameter, 0.1)

    def forward(self, x):
        h = self.head(self.conv(x).flatten(2).transpose(1, 2))
        return self.attend(h, h, h)[0]


def folded(x, size):
    params = dict(kernel_size=size, dilation=1, padding=0, stride=size)
    size = 7
    unfold = nn.Unfold(**params)
    fold = nn.Fold(output_size=x.shape[2:], **params)
    return fold(unfold(x) * 2), size, params["stride"]


def summed(x):
    kw = {"dim": 1}

    def inner():
        return x.sum(**kw)

    return inner() + torch.sum(x, **kw)


kw = {"dim": 0, "keepdim": True}
x = torch.arange(16.0).reshape(1, 1, 4, 4) / 9
y, size, stride = folded(x, 2)
print(round(y.sum().item(), 5), size, stride)
print([round(value, 5) for value in summed(x[0, 0]).tolist()], list(torch.sum(x[0, 0], **kw).shape))
model = Net()
settings = {"lr": 0.1, "momentum": 0.9}
optimizer = torch.optim.SGD(model.parameters(), **settings)
for _ in range(3):
    optimizer.zero_grad()
    loss = (model(x) ** 2).sum()
    loss.backward()
    optimizer.step()
    print(round(loss.item(), 5))
scale = {"scale_factor": 2.0, "mode": "nearest"}
print(round(F.interpolate(x, **scale).sum().item(), 4))
