import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(6, 5)
        self.drop = nn.Dropout(0.5)

    def forward(self, x):
        return self.drop(self.fc(x))

    def left_in_a_branch(self, x):
        was = self.training
        self.eval()  # T2J603
        if x.sum() > 3:
            return self(x)
        self.train(was)  # T2J603
        return x

    def set_whatever_was(self, x):
        self.eval()
        y = self(x)
        self.train()
        return y

    def set_for_some(self, x, n):
        self.eval()  # T2J603
        y = self(x)
        if n > 3:
            self.train()  # T2J603
        return y

    def asked_for_by_chance(self, x):
        self.eval()  # T2J603
        return self(x)

    def calls_others(self, x, n):
        return x if n > 3 else self.asked_for_by_chance(x)

    def another_mode(self, x):
        was = self.training
        was = x.sum() > 3
        self.eval()  # T2J603
        y = self(x)
        self.train(was)  # T2J603
        return torch.relu(y)
