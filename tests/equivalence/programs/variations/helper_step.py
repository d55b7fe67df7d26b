# expect: equal
"""The step is a function of its own that returns a number."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(5, 10)
        self.b = nn.Linear(10, 4)

    def forward(self, x):
        return self.b(torch.tanh(self.a(x)))


def train_step(model, optimizer, x, y):
    model.train()
    optimizer.zero_grad()
    loss = F.cross_entropy(model(x), y)
    loss.backward()
    optimizer.step()
    return loss.item()


def main():
    torch.manual_seed(3)
    x = torch.randn(60, 5)
    y = torch.randint(0, 4, (60,))
    model = Net()
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-2, betas=(0.8, 0.95), eps=1e-6)
    losses = []
    for step in range(20):
        i = (step * 20) % 60
        losses.append(train_step(model, optimizer, x[i : i + 20], y[i : i + 20]))
    print(f"last loss {losses[-1]:.4f}")
    return losses


if __name__ == "__main__":
    main()
