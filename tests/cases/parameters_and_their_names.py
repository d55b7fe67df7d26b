"""A variable for a parameter that is changed in place: not where the field may hold another object by then."""

import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 4)
        self.head = nn.Linear(4, 2)
        w = self.fc.weight.data
        self.fc = nn.Linear(3, 4)
        nn.init.zeros_(w)  # T2J303
        b = self.head.bias.data
        self.renew()
        nn.init.zeros_(b)  # T2J303
        c = self.fc.bias.data
        kept = [c]
        c = c.clone()
        c.fill_(1)
        self.kept = len(kept)

    def renew(self):
        self.renew_head()

    def renew_head(self):
        self.head = nn.Linear(4, 2)

    def forward(self, x):
        return self.head(self.fc(x))
