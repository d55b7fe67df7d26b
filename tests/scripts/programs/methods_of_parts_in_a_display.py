# also: nnx, linen
import torch
import torch.nn as nn


class Q(nn.Linear):
    def __init__(self, i, o):
        super().__init__(i, o)
        self.register_buffer("scale", torch.tensor(0.1))
        self.done = False

    def calibrate(self):
        self.scale.fill_(self.weight.abs().max().item() / 2)
        self.done = True

    def forward(self, x):
        return super().forward(x) * self.scale


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = Q(3, 4)
        self.b = Q(4, 2)

    def forward(self, x):
        return self.b(self.a(x))


net = Net()
i = 0
for m in net.modules():
    if isinstance(m, Q):
        m.weight.data = torch.sin(torch.arange(m.weight.numel()).float() * (i + 1)).view_as(m.weight) * 0.6
        m.bias.data.zero_()
print(net(torch.ones(2, 3)).sum().item())
for m in (net.a, net.b):
    m.calibrate()
print(net.a.scale.item(), net.b.scale.item(), net.a.done)
