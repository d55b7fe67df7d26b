"""Loops that give modules to methods of their model which look at other parts of it, or count in it."""

from torch import nn


class Counted(nn.Module):
    def __init__(self):
        super().__init__()
        self.count = 0
        self.fc = nn.Linear(3, 3)
        for m in self.modules():  # T2J303
            self.fill(m)  # T2J303

    def fill(self, m):
        if isinstance(m, nn.Linear):
            self.count += 1
            m.weight.data.fill_(self.count)

    def forward(self, x):
        return self.fc(x)


class Copied(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)
        self.out = nn.Linear(3, 3)
        for m in self.children():  # T2J303
            self.fill(m)  # T2J303

    def fill(self, m):
        m.weight.data.copy_(self.fc.weight.data * 2)

    def forward(self, x):
        return self.out(self.fc(x))
