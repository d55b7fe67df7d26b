# also: linen
"""Steps in two parts beside names of the program's own, batches that are changed before a step, and masks of NumPy."""

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 2)

    def forward(self, x):
        return self.fc(x)


def made():
    net = Net()
    with torch.no_grad():
        for p in net.parameters():
            p.copy_(torch.linspace(-0.5, 0.6, p.numel()).view(p.shape))
    return net


points = torch.cos(torch.arange(24.0)).view(8, 3)
batches = DataLoader(TensorDataset(points, (points.sum(1) > 0).long()), batch_size=4)

key = made()
opt_state = torch.optim.Adam(key.parameters(), lr=0.05)
slopes = []
for x, y in batches:
    penalty = 0.0
    for p in key.parameters():
        penalty = penalty + p.pow(2).sum()
    opt_state.zero_grad()
    loss = F.cross_entropy(key(x), y) + 0.01 * penalty
    loss.backward()
    slopes.append(key.fc.weight.grad.norm().item())
    opt_state.step()
print(slopes, key.fc.weight.tolist())

net = made()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(2):
    for x, y in batches:
        chosen = np.arange(len(x)) % 2 == epoch
        optimizer.zero_grad()
        out = net(x)
        loss = F.cross_entropy(out, y) + out[torch.from_numpy(chosen)].pow(2).mean()
        loss.backward()
        optimizer.step()
print(net.fc.weight.tolist())

net = made()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for x, y in batches:
    changed = x.clone()
    changed[:, 0] *= -1
    scaled = (changed * 2)[:, :3]
    scaled[0] = 0
    optimizer.zero_grad()
    loss = F.cross_entropy(net(scaled), y)
    loss.backward()
    optimizer.step()
print(net.fc.weight.tolist())
