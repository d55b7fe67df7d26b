"""Losses that were computed before a choice, each way of which divides them for itself; gradients add up."""

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


# each way divides it for itself, and gradients add up
def train(net, opt, mixed, count):
    net.train()
    for i, (x, y) in enumerate(batches):
        if mixed:
            with torch.autocast("cpu", enabled=False):
                logits, _ = net(x)
                loss = F.cross_entropy(logits, y)
        else:
            logits, _ = net(x)
            loss = F.cross_entropy(logits, y)
        number = loss.item()
        if number != number:
            print("stop")
            return
        if mixed:
            loss = loss / count
            loss.backward()
            if (i + 1) % count == 0:
                nn.utils.clip_grad_norm_(net.parameters(), 0.5)
                opt.step()
                opt.zero_grad()
        else:
            loss /= count
            loss.backward()
            if (i + 1) % count == 0:
                opt.step()
                opt.zero_grad()
        show(number, loss, logits.argmax(1).sum())


for mixed in (True, False):
    net = fill(Net())
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    train(net, opt, mixed, 2)
    show(net.body.weight.sum(), net.policy.bias[0], net.bn.running_mean.sum())
