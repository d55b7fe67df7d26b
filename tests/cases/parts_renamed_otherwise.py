"""Parts under second names that are not given up behind it, or not by the module that goes on with them."""

import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 4)
        self.tail = None

    def forward(self, x):
        return self.fc(x) + self.tail(x)


class Other(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(4, 4)
        self.second = None

    def forward(self, x):
        return self.first(x) + self.second(x)


a = Net()
a.tail = a.fc
b, c = Net(), Net()
b.tail = c.fc
c.fc = None  # T2J604
d = Other()
d.second = d.first
print(d(torch.ones(2, 4)))
d.first = None  # T2J604
