# also: nnx, linen
"""Methods beside `forward` whose inner functions call layers with statistics."""

import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.norm = nn.BatchNorm1d(n)
        self.last = nn.BatchNorm1d(n)
        self.deep = True

    def inner(self, x):
        return self.norm(x)

    def once(self, x):
        def closure(*inputs):
            return self.inner(*inputs)

        return closure(x)

    def twice(self, x):
        def outer(t):
            def last(u):
                return self.last(u) + 1

            return last(t) * 2

        y = outer(x)
        return outer(y)

    def forward(self, x):
        if self.deep:
            y = self.once(x)
        else:
            y = self.inner(x)
        return self.twice(y)


net = Net(4)
x = torch.arange(12.0).reshape(3, 4).pow(2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(3):
    optimizer.zero_grad()
    loss = (net(x) * torch.arange(12.0).reshape(3, 4)).mean()
    loss.backward()
    optimizer.step()
    print(round(loss.item(), 4))
net.eval()
print(net(x).detach())
print(net.norm.running_mean, net.last.running_var, net.last.num_batches_tracked)
