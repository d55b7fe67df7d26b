# also: nnx, linen
import math
import numpy as np
import torch
import torch.nn as nn


class PE(nn.Module):
    def __init__(self, embed, pad):
        super().__init__()
        self.pe = torch.tensor([[pos / (10000.0 ** (i // 2 * 2.0 / embed)) for i in range(embed)] for pos in range(pad)])
        self.pe[:, 0::2] = np.sin(self.pe[:, 0::2])
        self.pe[:, 1::2] = np.cos(self.pe[:, 1::2])
        self.table = torch.zeros(pad, embed)
        for i in range(pad):
            self.table[i] = i * 0.1
        self.table *= 2
        self.table.add_(0.5)

    def forward(self, x):
        return x + nn.Parameter(self.pe, requires_grad=False) + self.table


class PE2(nn.Module):
    def __init__(self, d, n):
        super().__init__()
        self.encoding = torch.zeros(n, d)
        self.encoding.requires_grad = False
        pos = torch.arange(0, n).float().unsqueeze(dim=1)
        _2i = torch.arange(0, d, step=2).float()
        self.encoding[:, ::2] = torch.sin(pos / (10000 ** (_2i / d)))
        self.encoding[:, 1::2] = torch.cos(pos / (10000 ** (_2i / d)))

    def forward(self, x):
        return x + self.encoding[:x.size(1), :]


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = PE(4, 5), PE2(4, 7)
        self.fc = nn.Linear(4, 2)
        nn.init.constant_(self.fc.weight, 0.1)
        nn.init.zeros_(self.fc.bias)

    def forward(self, x):
        return self.fc(self.b(self.a(x)))


net = Net()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.arange(40.0).view(2, 5, 4) * 0.02
for i in range(3):
    loss = net(x).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(loss.item())
print(len(net.state_dict()))
