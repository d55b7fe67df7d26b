# expect: equal
"""The model goes through several functions, and back as a result."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(4, 8)
        self.fc2 = nn.Linear(8, 3)

    def forward(self, x):
        return self.fc2(F.elu(self.fc1(x)))


def compute_loss(model, batch):
    x, y = batch
    return F.cross_entropy(model(x), y)


def train_epoch(model, batches, optimizer):
    total = 0.0
    for batch in batches:
        optimizer.zero_grad()
        loss = compute_loss(model, batch)
        loss.backward()
        optimizer.step()
        total += loss.item()
    return total / len(batches)


def fit(model, batches, epochs):
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
    history = []
    for epoch in range(epochs):
        history.append(train_epoch(model, batches, optimizer))
    return model, history


def main():
    torch.manual_seed(0)
    x = torch.randn(30, 4)
    y = torch.randint(0, 3, (30,))
    batches = [(x[i : i + 10], y[i : i + 10]) for i in range(0, 30, 10)]
    model = Net()
    before = sum(compute_loss(model, batch).item() for batch in batches)
    model, history = fit(model, batches, 5)
    after = sum(compute_loss(model, batch).item() for batch in batches)
    print(f"{before:.4f} -> {after:.4f}")
    return history


if __name__ == "__main__":
    main()
