"""Stores where a mask holds: numbers, values in order, one value for all, and combined with what is there; in a compiled step, too."""

import torch
import torch.nn as nn


class Prompt(nn.Module):
    def __init__(self):
        super().__init__()
        self.not_a_point = nn.Embedding(1, 4)
        self.points = nn.ModuleList([nn.Embedding(1, 4) for _ in range(2)])
        with torch.no_grad():
            self.not_a_point.weight.fill_(0.5)
            self.points[0].weight.fill_(1.5)
            self.points[1].weight.fill_(2.5)

    def forward(self, e, labels):
        e = e * 1.0
        e[labels == -1] = 0.0
        e[labels == -1] += self.not_a_point.weight
        e[labels == 0] += self.points[0].weight
        e[labels == 1] *= self.points[1].weight[0]
        rows = labels[:, 0] == 1
        e[rows] = 0.5
        e[rows] += 1
        e[e > 0.3] **= 2
        e[e < -0.3] /= 4.0
        return e


net = Prompt()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.sin(torch.arange(24.0)).view(2, 3, 4)
labels = torch.tensor([[0, 1, -1], [1, 1, 0]])
for _ in range(3):
    loss = net(x, labels).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(loss.item())
y = torch.arange(6.0)
mask = y > 2
y[mask] -= torch.tensor([1.0, 2.0, 3.0])
y[mask] /= torch.tensor([2.0])
y[y > 100] += torch.zeros(0)
y[~mask] *= torch.tensor([5.0, 6.0, 7.0])
print(y)
a = torch.arange(6)
a[a > 3] += 2
a[a > 3] //= 2
print(a)
