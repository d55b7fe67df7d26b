# also: nnx
"""Buffers as torch lists them, also those that no state dict holds, of models and their parts, in functions that are given these."""

import torch
from torch import nn


class Inner(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("z", torch.full((2,), 7.0))
        self.bn = nn.BatchNorm1d(2)
        self.register_buffer("a", torch.tensor([1, 2]), persistent=False)

    def forward(self, x):
        return self.bn(x) + self.z + self.a


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("hidden", torch.arange(3.0), persistent=False)
        self.inner = Inner()
        self.w = nn.Parameter(torch.ones(2))
        self.register_buffer("shown", torch.zeros(1))
        self.plain = torch.ones(5)
        self.register_buffer("nothing", None)
        self.blocks = nn.ModuleList([Inner() for _ in range(2)])

    def forward(self, x):
        x = self.inner(x) * self.w
        for block in self.blocks:
            x = block(x)
        return x


def count(model):
    return sum(b.numel() for b in model.buffers())


def statistics(model):
    return [round(b.float().sum().item(), 3) for name, b in model.named_buffers() if "running" in name]


def run(model, x):
    return model(x)


def main():
    net = Net()
    x = torch.tensor([[1.0, 2.0], [3.0, 5.0]])
    print(tuple(net(x).shape), [name for name, _ in net.named_buffers()])
    print([tuple(b.shape) for b in net.buffers()], len(list(net.buffers())))
    print([name for name, _ in net.inner.named_buffers()], dict(net.named_buffers())["hidden"].tolist())
    print(sorted(net.state_dict())[:4], list(net.inner.state_dict()))
    print(count(net), statistics(net))
    print(count(net.inner), statistics(net.blocks[1]))
    print(round(run(net.inner, x).sum().item(), 3), statistics(net.inner))
    for name, buffer in net.blocks[0].named_buffers():
        print(name, tuple(buffer.shape))


main()
