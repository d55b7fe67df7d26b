# also: nnx, linen
"""Parameters get the memory of tensors that nothing reads any more when they change."""

import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(3, 3)
        self.b = nn.Linear(3, 3)

    def load(self, arrays):
        w = torch.tensor(arrays[0])
        self.a.weight.data = w
        w = torch.tensor(arrays[1])
        self.b.weight.data = w

    def forward(self, x):
        return self.b(self.a(x))


def build(arrays):
    net = Net()
    w = torch.tensor(arrays[0])
    net.a.weight.data = w
    w = torch.tensor(arrays[1])
    net.b.weight = nn.Parameter(w)
    net.a.bias.data.fill_(0.5)
    with torch.no_grad():
        net.b.bias.zero_()
        net.a.weight.mul_(2)
    print(net.a.weight.sum().item(), w.sum().item())
    return net


arrays = [[[0.5] * 3] * 3, [[0.25] * 3] * 3]
net = build(arrays)
net.load(arrays)
for name, p in net.named_parameters():
    print(name, p.sum().item())
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(2):
    loss = net(torch.ones(2, 3)).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(loss.item())
