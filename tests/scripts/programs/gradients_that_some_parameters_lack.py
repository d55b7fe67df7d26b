# also: nnx, linen
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(4, 3)
        self.unused = nn.Linear(4, 2)
        self.b = nn.Linear(3, 3)

    def forward(self, x):
        return self.b(torch.tanh(self.a(x)))


def filled(model):
    rng = np.random.RandomState(0)
    for p in model.parameters():
        p.data = torch.from_numpy(rng.randn(*p.shape).astype(np.float32) * 0.5)
    return model


rng = np.random.RandomState(1)
x = torch.from_numpy(rng.randn(8, 4).astype(np.float32))
y = torch.from_numpy(rng.randint(0, 3, 8))

# gradients that are given other values, of those that are there
model = filled(Net())
optimizer = torch.optim.Adam(model.parameters(), lr=0.1)
for step in range(3):
    optimizer.zero_grad()
    loss = F.cross_entropy(model(x), y)
    loss.backward()
    for p in model.parameters():
        if p.grad is None:
            continue
        p.grad.data = torch.clamp(p.grad.data, -0.05, 0.05) + 0.01 * p.data
    optimizer.step()
    print(round(loss.item(), 5))
print([round(p.sum().item(), 5) for p in model.parameters()])

# counted, summed and told by their names
net = filled(Net())
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(3):
    opt.zero_grad()
    loss = F.cross_entropy(net(x), y)
    loss.backward()
    count = 0
    for p in net.parameters():
        if p.grad is not None:
            norm = p.grad.norm()
            count += 1
            if norm > 0.1:
                p.grad.mul_(0.1 / norm)
    total = 0.0
    for p in net.parameters():
        if p.grad is not None:
            total += p.grad.norm().item()
    print(count, round(total, 5), [n for n, p in net.named_parameters() if p.grad is not None and p.grad.norm() > 0.05])
    opt.step()
print([round(p.sum().item(), 5) for p in net.parameters()])

# of two modules that one optimizer trains
model, other = filled(Net()), filled(nn.Linear(3, 3))
optimizer = torch.optim.Adam(list(model.parameters()) + list(other.parameters()), lr=0.1)
for _ in range(3):
    optimizer.zero_grad()
    loss = F.cross_entropy(other(model(x)), y)
    loss.backward()
    for p in model.parameters():
        if p.grad is not None:
            p.grad += 0.05 * p.data
    for p in other.parameters():
        p.grad += 0.05
    optimizer.step()
    print(round(loss.item(), 5))
print([round(p.sum().item(), 5) for p in (*model.parameters(), *other.parameters())])
