# also: nnx, linen
"""Fields that hold an array of NumPy at first and then a tensor, which torch neither trains nor saves."""

import numpy as np
import torch
import torch.nn as nn


def make_weights(n):
    tokens = np.zeros((n, n))
    for i in range(n):
        tokens[i, i] = 0.5
        tokens[i, (i + 1) % n] = 0.5
    return tokens


class Smooth(nn.Module):
    def __init__(self, n, d, stop=False):
        super().__init__()
        self.weights = make_weights(n)
        if stop:
            self.weights = self.weights * 0.9
        self.weights = torch.tensor(self.weights, dtype=torch.float)
        self.table = make_weights(n)
        self.table = torch.from_numpy(self.table).float()
        self.emb = nn.Embedding(n, d)

    def forward(self, x):
        return self.weights[x] @ self.emb.weight + self.table[x].sum()


net = Smooth(4, 2, True)
with torch.no_grad():
    net.emb.weight.fill_(0.3)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.tensor([0, 1, 3])
for _ in range(3):
    loss = net(x).pow(2).sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(loss.item())
print([n for n, _ in net.named_parameters()], sum(p.numel() for p in net.parameters()), net.weights.sum().item(), sorted(net.state_dict()))
