# expect: equal
"""A function trains the elements of a list."""

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


def fit(model, x, y):
    optimizer = optim.SGD(model.parameters(), lr=0.3)
    for _ in range(3):
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()


def main():
    torch.manual_seed(0)
    x = torch.randn(32, 4)
    y = torch.randint(0, 3, (32,))
    models = [Net() for _ in range(2)]
    for model in models:
        fit(model, x, y)
    print(sum(m(x) for m in models).mean().item())
    losses = []
    for step in range(6):
        losses.append(1.0)
    print(len(models))
    return losses


if __name__ == "__main__":
    main()
