"""Helpers that move what they are given to the graphics card if there is one: modules, tensors and numbers of steps alike."""

from utils import cuda, gpu, to_var
import argparse
import torch
from torch import nn




class Small(nn.Module):
    def __init__(self, z, n):
        super().__init__()
        self.fc = nn.Linear(n, z)
        self.out = nn.Linear(z, n)
        with torch.no_grad():
            for i, p in enumerate(self.parameters()):
                p.copy_(torch.linspace(-0.5, 0.6, p.numel()).view(p.shape) * (1 + i / 3))

    def forward(self, x):
        return self.out(torch.tanh(self.fc(x)))


class Big(Small):
    def forward(self, x):
        return self.out(self.fc(x))


class Solver(object):
    def __init__(self, args):
        self.use_cuda = args.cuda and torch.cuda.is_available()
        if args.model == "H":
            net = Small
        elif args.model == "B":
            net = Big
        else:
            raise NotImplementedError("only support model H or B")
        self.net = cuda(net(3, 4), self.use_cuda)
        self.optim = torch.optim.Adam(self.net.parameters(), lr=0.1)
        self.C_max = 2.0

    def train(self, data):
        self.net_mode(train=True)
        self.C_max = cuda(torch.FloatTensor([self.C_max]), self.use_cuda)
        for i, x in enumerate(data):
            x = cuda(x, self.use_cuda)
            loss = (self.net(x) - x).pow(2).sum(1).mean(0, True)
            C = torch.clamp(self.C_max / 4 * i, 0, self.C_max.data[0])
            loss = (loss - C).abs()
            self.optim.zero_grad()
            loss.backward()
            self.optim.step()
            print(loss.item())

    def net_mode(self, train):
        if not isinstance(train, bool):
            raise ValueError("Only bool type is supported. True or False")
        if train:
            self.net.train()
        else:
            self.net.eval()


parser = argparse.ArgumentParser()
parser.add_argument("--cuda", default=True, type=bool)
parser.add_argument("--model", default="H", type=str)
args = parser.parse_args()
solver = Solver(args)
x = torch.linspace(-1, 1, 12).view(3, 4)
solver.train([x, 2 * x, 0.5 * x])
solver.net_mode(False)
print(solver.net(x).sum().item())


class Normed(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 3)
        self.bn = nn.BatchNorm1d(3)
        with torch.no_grad():
            for i, p in enumerate(self.parameters()):
                p.copy_(torch.linspace(-0.5, 0.6, p.numel()).view(p.shape) * (1 + i / 3))

    def forward(self, x):
        return self.bn(self.fc(x))


net = gpu(Normed())
other = to_var(x)
print(net(gpu(other)).sum().item(), net(x).pow(2).sum().item())
net.eval()
print(net(other).sum().item())
criterion = gpu(nn.MSELoss())
print(criterion(other, gpu(x + 1) * 2).item())
