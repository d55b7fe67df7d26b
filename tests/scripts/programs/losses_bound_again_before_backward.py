# also: nnx
"""Losses that were computed before their steps, and get another value there: `loss = loss / count`, in a branch of its own or not."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(4, 8)
        self.bn = nn.BatchNorm1d(8)
        self.policy = nn.Linear(8, 3)
        self.value = nn.Linear(8, 1)

    def forward(self, x):
        h = torch.tanh(self.bn(self.body(x)))
        return self.policy(h), self.value(h)


def fill(m):
    with torch.no_grad():
        for k, p in enumerate(m.parameters()):
            p.copy_((torch.arange(p.numel(), dtype=torch.float32) * 0.7 + k).sin().view_as(p) * 0.4)
    return m


def show(*values):
    print(*[f"{float(v):.4f}" for v in values])


batches = [((torch.arange(24.0) * (0.3 + 0.1 * i)).cos().view(6, 4), (torch.arange(6) + i) % 3) for i in range(4)]

# numbers of the loss are read before the branch that divides it, and those of what it becomes behind it
net = fill(Net())
opt = torch.optim.Adam(net.parameters(), lr=0.02)
for i, (x, y) in enumerate(batches):
    logits, value = net(x)
    loss = F.cross_entropy(logits, y) + value.pow(2).mean()
    before = loss.item()
    if before > 100:
        print("stop")
        break
    opt.zero_grad()
    if i != 2:
        loss = loss / 2
        print("divided", f"{loss.item():.4f}")
        loss.backward()
        opt.step()
    show(before, loss)


# other parts of the loss than the loss itself, of which some stay as they are
net = fill(Net())
opt = torch.optim.Adam(net.parameters(), lr=0.02)
kept = []
for x, y in batches:
    logits, value = net(x)
    kept += [float(value.mean().item())]
    with torch.no_grad():
        kept += [logits.max().item()]
    value, target = value.view(-1), y.float()
    errors = torch.max((value - target).pow(2), (value.clamp(-0.1, 0.1) - target).pow(2))
    value = value * 2
    loss = F.cross_entropy(logits, y) + errors.mean() + value.mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    show(loss, value.sum())
show(*kept, net.value.weight.sum())
