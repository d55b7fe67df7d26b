# also: nnx
"""Loops change the buffers that a module lists."""

import copy
import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 4)
        self.bn = nn.BatchNorm1d(4)
        self.register_buffer("mean", torch.zeros(4))
        self.register_buffer("count", torch.tensor(0))

    def forward(self, x):
        h = self.bn(self.fc(x))
        if self.training:
            self.mean = 0.9 * self.mean + 0.1 * h.detach().mean(0)
            self.count += 1
        return h - self.mean


def fill(model):
    with torch.no_grad():
        for i, p in enumerate(model.parameters()):
            p.copy_(torch.sin(torch.arange(p.numel(), dtype=torch.float32) * 0.7 + i).reshape(p.shape) * 0.4)


class Copied:
    def __init__(self, model, decay=0.9):
        self.module = Net()
        self.module.load_state_dict(model.state_dict())
        self.decay = decay

    @torch.no_grad()
    def update(self, model):
        for e, p in zip(self.module.parameters(), model.parameters()):
            e.mul_(self.decay).add_(p, alpha=1 - self.decay)
        for e, b in zip(self.module.buffers(), model.buffers()):
            e.copy_(b)


class Named:
    def __init__(self, model, decay=0.9):
        self.module = copy.deepcopy(model)
        self.decay = decay

    def update(self, model):
        with torch.no_grad():
            params = dict(model.named_parameters())
            for name, p in self.module.named_parameters():
                p.copy_(self.decay * p + (1 - self.decay) * params[name])
            bufs = dict(model.named_buffers())
            for name, b in self.module.named_buffers():
                b.copy_(bufs[name])


class ByData:
    def __init__(self, model, decay=0.9):
        self.module = copy.deepcopy(model)
        self.decay = decay
        self.n = 0

    @torch.no_grad()
    def update(self, model):
        self.n += 1
        d = min(self.decay, (1 + self.n) / (10 + self.n))
        for e, b in zip(self.module.buffers(), model.buffers()):
            e.data = b.data.clone()
        for e, p in zip(self.module.parameters(), model.parameters()):
            e.data = d * e.data + (1 - d) * p.data


class Reset:
    def __init__(self, model, decay=0.9):
        self.module = copy.deepcopy(model)
        self.decay = decay

    @torch.no_grad()
    def update(self, model):
        for p_e, p in zip(self.module.parameters(), model.parameters()):
            p_e.data.lerp_(p.data, 1 - self.decay)
        self.module.bn.running_mean.copy_(model.bn.running_mean)
        self.module.bn.running_var.copy_(model.bn.running_var)
        self.module.mean.copy_(model.mean)
        for b in self.module.buffers():
            b.zero_()


def copy_buffers(src, dst):
    for a, b in zip(dst.buffers(), src.buffers()):
        a.data.copy_(b.data)


def reset(model):
    for name, b in model.named_buffers():
        if "running" in name:
            b.fill_(1.0)


net = Net()
fill(net)
ema = Copied(net)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(3):
    x = torch.cos(torch.arange(12.0) + step).reshape(4, 3)
    loss = net(x).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    ema.update(net)
    print(loss.item())
for k, v in ema.module.state_dict().items():
    print(k, v.float().sum().item())
ema.module.eval()
print(ema.module(x).sum().item())
net = Net()
fill(net)
ema = Named(net)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(3):
    x = torch.cos(torch.arange(12.0) + step).reshape(4, 3)
    loss = net(x).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    ema.update(net)
    print(loss.item())
for k, v in ema.module.state_dict().items():
    print(k, v.float().sum().item())
ema.module.eval()
print(ema.module(x).sum().item())
net = Net()
fill(net)
ema = ByData(net)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(3):
    x = torch.cos(torch.arange(12.0) + step).reshape(4, 3)
    loss = net(x).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    ema.update(net)
    print(loss.item())
for k, v in ema.module.state_dict().items():
    print(k, v.float().sum().item())
ema.module.eval()
print(ema.module(x).sum().item())
net = Net()
fill(net)
ema = Reset(net)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(3):
    x = torch.cos(torch.arange(12.0) + step).reshape(4, 3)
    loss = net(x).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    ema.update(net)
    print(loss.item())
for k, v in ema.module.state_dict().items():
    print(k, v.float().sum().item())
ema.module.eval()
print(ema.module(x).sum().item())
net, other = Net(), Net()
other.load_state_dict(net.state_dict())
net(x)
copy_buffers(net, other)
print([b.sum().item() for b in other.buffers()] == [b.sum().item() for b in net.buffers()])
reset(other)
print([b.sum().item() for b in other.buffers()])
