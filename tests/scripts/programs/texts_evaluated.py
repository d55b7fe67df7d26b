# also: nnx, linen
import argparse

import torch
import torch.nn as nn
import torch.nn.functional as F

parser = argparse.ArgumentParser()
parser.add_argument('--act', default='ReLU')
parser.add_argument('--opt', default='SGD')
parser.add_argument('--norm', default='BatchNorm')
args = parser.parse_args()


class Net(nn.Module):
    def __init__(self, n, act, dim=1):
        super().__init__()
        self.conv = eval('nn.Conv{}d'.format(dim))(n, n, 1)
        self.norm = eval('nn.BatchNorm' + str(dim) + 'd')(n)
        self.act = eval(f'nn.{act}')()
        self.size = eval('(1, 2 + 1)')
        self.twice = eval('n * 2')

    def forward(self, x):
        return self.act(self.norm(self.conv(x))).sum(self.size[1] - 1) * self.twice


torch.manual_seed(0)
net = Net(2, args.act)
nn.init.constant_(net.conv.weight, 0.5)
nn.init.constant_(net.conv.bias, 0.5)
opt = eval('torch.optim.%s' % args.opt)(net.parameters(), lr=0.1)
criterion = eval("nn.MSELoss")()
x = torch.arange(8.0).view(2, 2, 2)
for i in range(3):
    opt.zero_grad()
    loss = criterion(net(x), torch.ones(2, 2))
    loss.backward()
    opt.step()
    print(loss.item())
values = eval('[1, 2, 3]')
print(values, eval('3 * 4'), eval('len(values)'))


def outer(n):
    def inner():
        return eval('n * 2')

    return inner()


n = 5
print(outer(3))
