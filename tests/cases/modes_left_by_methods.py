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
        self.eval()  # T2J603
        y = self(x)
        self.train()  # T2J603
        return y

    def another_mode(self, x):
        was = self.training
        was = x.sum() > 3
        self.eval()  # T2J603
        y = self(x)
        self.train(was)  # T2J603
        return torch.relu(y)
