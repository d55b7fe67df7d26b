# expect: equal
"""The best model is the model itself, not a copy."""

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


def main():
    torch.manual_seed(0)
    x = torch.randn(32, 4)
    y = torch.randint(0, 3, (32,))
    model = Net()
    optimizer = optim.SGD(model.parameters(), lr=0.3, momentum=0.9)
    losses = []
    for step in range(6):
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
        if step == 2:
            best = model
    print(F.cross_entropy(best(x), y).item())
    print(F.cross_entropy(model(x), y).item())
    return losses


if __name__ == "__main__":
    main()
