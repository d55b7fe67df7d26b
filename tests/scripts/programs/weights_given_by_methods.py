# also: nnx
"""Methods that give parameters and buffers of their module other values, outside of training."""

import numpy as np
import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(2, 3), nn.Linear(3, 3)])
        self.head = nn.Linear(3, 1)
        self.scale = nn.Parameter(torch.ones(3))
        self.register_buffer("shift", torch.zeros(3))

    def load(self, weights):
        for i in range(2):
            self.layers[i].weight.data = torch.from_numpy(np.transpose(weights[2 * i]))
            self.layers[i].bias.data = torch.from_numpy(weights[2 * i + 1])
        self.head.weight.data.fill_(0.5)
        self.head.bias.data.zero_()
        with torch.no_grad():
            self.scale.mul_(2)
            self.shift.add_(self.scale.data *
                            (1 - 0.875))  # fmt: skip

    def renorm(self):
        with torch.no_grad():
            self.head.weight.copy_(self.head.weight / self.head.weight.norm())
            self.scale.clamp_(max=1.5)

    def forward(self, x):
        for layer in self.layers:
            x = torch.tanh(layer(x))
        return self.head(x * self.scale + self.shift)


net = Net()
weights = [
    np.arange(6, dtype=np.float32).reshape(2, 3) / 10,
    np.ones(3, np.float32) / 5,
    np.eye(3, dtype=np.float32),
    np.zeros(3, np.float32),
]
net.load(weights)
x = torch.linspace(-1, 1, 8).reshape(4, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
for _ in range(3):
    optimizer.zero_grad()
    loss = (net(x) - 1).pow(2).mean()
    loss.backward()
    optimizer.step()
    net.renorm()
    print(loss.item(), net.scale.sum().item(), net.head.weight.sum().item())
print(net(x).sum().item())
