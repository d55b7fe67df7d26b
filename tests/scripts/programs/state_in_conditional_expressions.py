"""Modules that keep statistics and run in one branch of a conditional expression."""

import torch
import torch.nn as nn
import torch.nn.functional as F


def swish(x):
    return x * x.sigmoid()


class Block(nn.Module):
    def __init__(self, width, out, stride):
        super().__init__()
        self.stride = stride
        self.conv = nn.Conv1d(width, out, 1, bias=False)
        self.bn = nn.BatchNorm1d(out)
        self.shortcut = nn.Sequential()
        if stride == 1 and width != out:
            self.shortcut = nn.Sequential(nn.Conv1d(width, out, 1, bias=False), nn.BatchNorm1d(out))

    def forward(self, x):
        out = F.relu(self.bn(self.conv(x)))
        out = out + self.shortcut(x) if self.stride == 1 else out
        return out


class Other(nn.Module):
    def __init__(self, width, ratio, normed):
        super().__init__()
        self.ratio, self.normed = ratio, normed
        self.fc = nn.Linear(width, width)
        self.bn = nn.BatchNorm1d(width)

    def forward(self, x):
        out = x if self.ratio == 1 else swish(self.bn(self.fc(x)))
        return self.bn(out) if self.normed else out


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.Sequential(Block(3, 4, 1), Block(4, 4, 2), Block(4, 4, 1))
        self.first = Other(4, 2, True)
        self.second = Other(4, 1, False)
        self.head = nn.Linear(4, 2)

    def forward(self, x):
        return self.head(self.second(self.first(self.blocks(x).mean(2))))


def fill(model):
    with torch.no_grad():
        for p in model.parameters():
            p.copy_(torch.cos(torch.arange(p.numel()).float() * 0.7).view(p.shape))


model = Net()
fill(model)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
x = torch.sin(torch.arange(6 * 3 * 5).float()).view(6, 3, 5)
y = torch.tensor([0, 1, 0, 1, 1, 0])
for step in range(4):
    loss = F.cross_entropy(model(x + 0.1 * step), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(f"{loss.item():.4f}")
model.eval()
with torch.no_grad():
    print(["%.3f" % v for v in model(x).flatten().tolist()])
print("%.4f" % model.first.bn.running_mean.sum().item())
