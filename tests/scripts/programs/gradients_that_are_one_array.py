# also: nnx, linen
import torch
import torch.nn as nn


class Sum(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Parameter(torch.ones(3))
        self.b = nn.Parameter(torch.ones(3) * 2)

    def forward(self, x):
        return (self.a + self.b) * x


net = Sum()
loss = net(torch.arange(3.0)).sum()
grads = torch.autograd.grad(loss, net.parameters())
print(len(grads), [g.sum().item() for g in grads])
