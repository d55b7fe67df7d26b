# expect: equal
"""Weights are saved to a file and loaded into a new model."""

import os
import tempfile

import torch
import torch.nn as nn
import torch.nn.functional as F


class Net(nn.Module):
    def __init__(self, width=8):
        super().__init__()
        self.fc1 = nn.Linear(5, width)
        self.fc2 = nn.Linear(width, 2)

    def forward(self, x):
        return self.fc2(F.relu(self.fc1(x)))


def train(model, optimizer, x, y, path, epochs):
    best = float("inf")
    losses = []
    for epoch in range(epochs):
        model.train()
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
        if loss.item() < best:
            best = loss.item()
            torch.save(model.state_dict(), path)
    return losses


def main():
    torch.manual_seed(0)
    x = torch.randn(24, 5)
    y = (x[:, 0] > 0).long()
    model = Net()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.2)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "model.pt")
        losses = train(model, optimizer, x, y, path, 10)
        restored = Net()
        restored.load_state_dict(torch.load(path))
    restored.eval()
    with torch.no_grad():
        print(f"loss of the restored model: {F.cross_entropy(restored(x), y).item():.4f}")
    return losses


if __name__ == "__main__":
    main()
