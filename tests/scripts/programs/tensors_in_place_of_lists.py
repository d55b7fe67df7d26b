# also: nnx, linen
"""Fields that hold numbers, lists of lists or None at first and then a tensor."""

import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self, n, flag=False):
        super().__init__()
        self.fc = nn.Linear(n, n)
        self.scale = 1.0
        if flag:
            self.scale = torch.full((n,), 0.5)
        self.grid = [[float(i * j) for j in range(n)] for i in range(n)]
        self.grid = torch.tensor(self.grid)
        self.w = None
        self.w = torch.ones(n)

    def forward(self, x):
        return self.fc(x) * self.scale + x @ self.grid * self.w


for flag in (True, False):
    net = Net(3, flag)
    with torch.no_grad():
        net.fc.weight.fill_(0.1)
        net.fc.bias.fill_(0.2)
    opt = torch.optim.SGD(net.parameters(), lr=0.01)
    x = torch.ones(2, 3)
    for _ in range(3):
        loss = net(x).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        print(loss.item())
    print(sum(p.numel() for p in net.parameters()), sorted(net.state_dict()))
