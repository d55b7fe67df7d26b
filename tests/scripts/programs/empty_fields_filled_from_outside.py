# also: nnx
"""Fields that are None when a module is made, and that code outside gives tensors: masks, noise, in loops, functions and training."""

import torch
import torch.nn as nn


class NoiseInjection(nn.Module):
    def __init__(self, channel):
        super().__init__()
        self.weight = nn.Parameter(torch.full((1, channel), 0.5))
        self.noise = None

    def forward(self, x):
        noise = self.noise if self.noise is not None else torch.ones_like(x) * 0.1
        return x + self.weight * noise


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 4)
        nn.init.constant_(self.fc.weight, 0.3)
        nn.init.constant_(self.fc.bias, 0.1)
        self.injs = nn.ModuleList([NoiseInjection(4) for _ in range(2)])
        self.mask = None
        self.scale = 1.0

    def forward(self, x):
        y = self.fc(x)
        for inj in self.injs:
            y = inj(y)
        if self.mask is not None:
            y = y * self.mask
        return y * self.scale


def set_mask(model, mask):
    model.mask = mask


net = Net()
other = Net()
x = torch.sin(torch.arange(6, dtype=torch.float32)).reshape(2, 3)
print(net(x).sum().item())
for i, inj in enumerate(net.injs):
    inj.noise = torch.full((2, 4), 2.0 + i)
print(net(x).sum().item(), other(x).sum().item())
net.mask = torch.tensor([1.0, 0.0, 1.0, 0.0])
set_mask(other, torch.tensor([0.0, 0.0, 1.0, 0.0]))
print(net(x).sum().item(), other(x).sum().item())
net.scale = 3.0
opt = torch.optim.SGD(net.parameters(), lr=0.1, weight_decay=0.1)
for step in range(3):
    loss = (net(x) - 1).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(loss.item())
    if step == 1:
        net.mask = None
print(net.injs[0].noise.sum().item(), net.mask is None, len(list(net.parameters())), sorted(net.state_dict()))
