"""A module whose calls are cut into parts for several devices, where there are any."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, ngpu):
        super().__init__()
        self.ngpu = ngpu
        self.main = nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4), nn.ReLU(), nn.Linear(4, 1))

    def forward(self, x):
        if x.is_cuda and self.ngpu > 1:
            y = nn.parallel.data_parallel(self.main, x, range(self.ngpu))
        else:
            y = self.main(x)
        return y


net = Net(2)
with torch.no_grad():
    for p in net.parameters():
        p.copy_(torch.linspace(-0.5, 0.7, p.numel()).reshape(p.shape))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
data = torch.arange(12.0).reshape(4, 3) % 5
for _ in range(3):
    loss = (net(data) - 1).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(round(loss.item(), 5))
print([round(v, 5) for v in net.main[1].running_mean.tolist()])
