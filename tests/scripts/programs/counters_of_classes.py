# also: nnx, linen
"""Numbers that classes of modules have and that methods change: each module begins with that of its class."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class Annealed(nn.Module):
    num_iter = 0  # Global static variable to keep track of iterations
    rate: float = 0.5
    warm = False

    def __init__(self, width, gamma=2.0):
        super(Annealed, self).__init__()
        self.gamma = gamma
        self.fc = nn.Linear(width, 2)

    def forward(self, x):
        self.rate *= 0.5
        return self.fc(x) * self.rate

    def loss_function(self, y, target):
        self.num_iter += 1
        if self.num_iter > 2:
            self.warm = True
        weight = self.gamma if self.warm else 1.0
        return F.mse_loss(y, target) * weight * self.num_iter


def fill(net):
    with torch.no_grad():
        for i, p in enumerate(net.parameters()):
            p.copy_((torch.sin(torch.arange(p.numel()) * 0.7 + i) * 0.5).reshape(p.shape))
    return net


x = torch.arange(6.0).reshape(2, 3).cos()
first, second = fill(Annealed(3)), fill(Annealed(3, 3.0))
for _ in range(3):
    y = first(x)
    print(y.sum().item(), first.loss_function(y, x[:, :2]).item())
y = second(x)
print(y.sum().item(), second.loss_function(y, x[:, :2]).item())
print(first.num_iter, second.num_iter, float(first.rate), float(second.rate), bool(first.warm), bool(second.warm))
