# expect: equal
"""A class makes its model and its optimizer, and restores the best weights."""

import copy

import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim


class Net(nn.Module):
    def __init__(self, d_in=4, hidden=8, d_out=3):
        super().__init__()
        self.base = nn.Linear(d_in, hidden)
        self.head = nn.Linear(hidden, d_out)

    def forward(self, x):
        return self.head(torch.tanh(self.base(x)))


class Trainer:
    def __init__(self, lr=0.3):
        self.model = Net()
        self.opt = self.configure(lr)
        self.step_count = 0
        self.best = float('inf')
        self.best_state = None

    def configure(self, lr):
        return optim.SGD(self.model.parameters(), lr=lr)

    def step(self, x, y):
        self.opt.zero_grad()
        loss = F.cross_entropy(self.model(x), y)
        loss.backward()
        self.opt.step()
        self.step_count += 1
        return loss.item()

    def fit(self, x, y, n):
        for _ in range(n):
            value = self.step(x, y)
            if value < self.best:
                self.best = value
                self.best_state = copy.deepcopy(self.model.state_dict())
        self.model.load_state_dict(self.best_state)


def main():
    torch.manual_seed(0)
    x = torch.randn(32, 4)
    y = torch.randint(0, 3, (32,))
    trainer = Trainer()
    trainer.fit(x, y, 4)
    losses = []
    for step in range(6):
        losses.append(1.0)
    print(F.cross_entropy(trainer.model(x), y).item(), trainer.step_count)
    return losses


if __name__ == "__main__":
    main()
