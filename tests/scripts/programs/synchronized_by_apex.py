# also: nnx, linen
"""Programs that offer the synchronized statistics of apex, which is not installed, and wrap models under a long name."""

import argparse

import torch
from torch import nn

try:
    import apex
except ImportError:
    pass


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(3, 4)
        self.bn = nn.BatchNorm1d(4)

    def forward(self, x):
        return self.bn(self.a(x))


def build(sync, parallel):
    model = Net()
    criterion = nn.MSELoss()
    if sync:
        model = apex.parallel.convert_syncbn_model(model)
    if parallel:
        model = torch.nn.parallel.data_parallel.DataParallel(model)
    return model, criterion


parser = argparse.ArgumentParser()
parser.add_argument("--sync", action="store_true")
parser.add_argument("--parallel", action="store_true")
args = parser.parse_args([])
model, criterion = build(args.sync, args.parallel)
for i, p in enumerate(model.parameters()):
    nn.init.constant_(p, 0.1 * (i + 1))
with torch.no_grad():
    model.a.weight[0, 0] += 0.3
opt = torch.optim.SGD(model.parameters(), lr=0.1)
x = torch.arange(12.0).reshape(4, 3).sin()
for step in range(3):
    loss = criterion(model(x), x[:, :1].expand(4, 4))
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(loss.item())
print(model.bn.running_mean.sum().item())
