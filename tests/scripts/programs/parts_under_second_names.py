# also: nnx, linen
"""Parts under second names: lists that are indexed and paired, slices of lists of parts, with statistics and draws in them."""

import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self, n=3):
        super().__init__()
        self.fc1 = nn.Linear(n, n)
        self.fc2 = nn.Linear(n, n)
        self.bn1, self.bn2 = nn.BatchNorm1d(n), nn.BatchNorm1d(n)
        self.drop = nn.Dropout(0.0)
        self.layers = [self.fc1, self.fc2]
        self.norms = (self.bn1, self.bn2)
        self.body = nn.ModuleList([nn.Linear(n, n) for _ in range(4)])
        self.first = self.body[:2]
        self.last = self.body[-1]
        self.rest = self.body[2:-1]

    def forward(self, x):
        for fc, bn in zip(self.layers, self.norms):
            x = self.drop(torch.relu(bn(fc(x))))
        for layer in self.first:
            x = x + layer(x)
        for layer in self.rest:
            x = x * torch.sigmoid(layer(x))
        return self.last(x) + self.layers[1](x) + self.norms[-1](x)


net = Net()
print(sum(p.numel() for p in net.parameters()), len(net.layers), len(net.first), len(net.rest))
with torch.no_grad():
    for k, p in enumerate(net.parameters()):
        p.copy_(torch.sin(torch.arange(p.numel()).float() + k).view(p.shape))
x = torch.linspace(-1, 1, 12).view(4, 3)
opt = torch.optim.SGD(net.parameters(), lr=0.01)
for step in range(3):
    loss = (net(x) - 1).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(loss.item(), net.bn1.running_mean.sum().item())
net.eval()
print(net(x).tolist())
print(net.layers[0].weight.sum().item(), net.last.weight.sum().item())
