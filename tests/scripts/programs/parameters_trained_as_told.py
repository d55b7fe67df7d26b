# also: nnx, linen
"""Parameters that are trained or not as an argument says."""

import torch
import torch.nn as nn


class Scale(nn.Module):
    def __init__(self, dim, trainable=True, value=1.0):
        super().__init__()
        self.weight = nn.Parameter(torch.full((dim,), value), requires_grad=trainable)
        self.bias = nn.Parameter(torch.zeros(dim), trainable)
        self.shift = nn.Parameter(torch.rand(dim) * 0, requires_grad=not trainable)

    def forward(self, x):
        return x * self.weight + self.bias + self.shift


class Net(nn.Module):
    def __init__(self, dim, learn):
        super().__init__()
        self.fc = nn.Linear(dim, dim)
        self.scale = Scale(dim, trainable=learn)
        self.second = Scale(dim, not learn, 2.0)

    def forward(self, x):
        return self.second(self.scale(self.fc(x)))


for learn in (True, False):
    net = Net(3, learn)
    nn.init.constant_(net.fc.weight, 0.2)
    nn.init.constant_(net.fc.bias, 0.1)
    print([(n, p.requires_grad) for n, p in net.named_parameters()])
    print(sum(p.numel() for p in net.parameters() if p.requires_grad), list(net.state_dict()))
    opt = torch.optim.SGD(net.parameters(), lr=0.01, momentum=0.9, weight_decay=0.1)
    x = torch.arange(12.0).view(4, 3)
    for _ in range(3):
        opt.zero_grad()
        loss = net(x).pow(2).mean()
        loss.backward()
        opt.step()
        print(loss.item())
    for part in (net.scale, net.second):
        print(part.weight.sum().item(), part.bias.sum().item(), part.shift.sum().item())
