# also: nnx
"""Lists, dicts and sets in fields of modules, which the program changes in place between steps, in several ways."""

from collections import Counter, OrderedDict, defaultdict, deque

import torch
from torch import nn


class Head(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 1)
        self.scales = [1.0, 0.5]
        self.mode = {"act": "tanh", "inner": {"shift": 0.1}}
        self.table = OrderedDict(first=1.0)
        self.lists = defaultdict(list)

    def forward(self, x):
        x = self.fc(x) * self.scales[1] + self.mode["inner"]["shift"] + len(self.table) + sum(self.lists["more"])
        return torch.tanh(x) if self.mode["act"] == "tanh" else x


class Open(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 1)
        self.active = {"fc"}
        self.recent = deque([0.5], maxlen=2)
        self.counts = Counter()

    def forward(self, x):
        x = self.fc(x) * sum(self.recent) + self.counts["a"]
        return x if "fc" in self.active else x * 2


def halve(net):
    net.scales[1] *= 0.5


head = Head()
for p in head.parameters():
    nn.init.constant_(p, 0.3)
opt = torch.optim.SGD(head.parameters(), lr=0.05)
x = torch.linspace(-1, 1, 12).view(4, 3)
for i in range(7):
    opt.zero_grad()
    loss = (head(x) - 1).pow(2).mean()
    loss.backward()
    opt.step()
    if i == 0:
        halve(head)
    elif i == 1:
        head.mode["inner"]["shift"] = 0.4
    elif i == 2:
        head.mode["act"] = "none"
    elif i == 3:
        head.table["second"] = 2.0
    elif i == 4:
        head.lists["more"].append(0.5)
    elif i == 5:
        head.mode["inner"].update(shift=-0.3)
    print(loss.item())

net = Open()
for p in net.parameters():
    nn.init.constant_(p, 0.3)
opt = torch.optim.SGD(net.parameters(), lr=0.05)
for i in range(5):
    opt.zero_grad()
    loss = (net(x) - 1).pow(2).mean()
    loss.backward()
    opt.step()
    if i == 1:
        net.active.discard("fc")
    net.recent.append(0.2 * i)
    net.counts["a"] += 1
    print(loss.item())
