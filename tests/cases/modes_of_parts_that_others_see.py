"""A method leaves a part in evaluation: another method, the caller, or what lists the parts uses it in that mode."""

import torch
from torch import nn


class Two(nn.Module):
    def __init__(self):
        super().__init__()
        self.student = nn.Linear(3, 3)
        self.teacher = nn.Dropout(0.5)

    def target(self, x):
        self.teacher.eval()  # T2J603
        return self.teacher(x)

    def forward(self, x):
        return self.student(x) + self.teacher(x)


class Later(nn.Module):
    def __init__(self):
        super().__init__()
        self.expert = nn.Dropout(0.5)

    def forward(self, x, careful=False):
        if careful:
            self.expert.eval()  # T2J603
        return self.expert(x)


class Outside(nn.Module):
    def __init__(self):
        super().__init__()
        self.coach = nn.Dropout(0.5)

    def forward(self, x):
        self.coach.eval()  # T2J603
        return self.coach(x)


class Listed(nn.Module):
    def __init__(self):
        super().__init__()
        self.guide = nn.Dropout(0.5)

    def forward(self, x):
        self.guide.eval()  # T2J603
        return self.guide(x)

    def each(self, x):
        return [part(x) for part in self.children()]


x = torch.ones(2, 3)
two, later, outside, listed = Two(), Later(), Outside(), Listed()
print(two.target(x), two(x), later(x), later(x, careful=True), outside(x), outside.coach(x), listed(x), listed.each(x))
