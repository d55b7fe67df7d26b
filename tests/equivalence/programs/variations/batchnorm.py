# expect: equal
"""A model with running statistics; evaluation before, between and after."""

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(6, 16, bias=False)
        self.bn1 = nn.BatchNorm1d(16)
        self.fc2 = nn.Linear(16, 2)

    def forward(self, x):
        return self.fc2(F.relu(self.bn1(self.fc1(x))))


def train_one_epoch(model, loader, optimizer, criterion):
    model.train()
    running = 0.0
    for x, y in loader:
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
        running += loss.item()
    return running / len(loader)


def accuracy(model, loader):
    model.eval()
    hits = total = 0
    with torch.no_grad():
        for x, y in loader:
            hits += (model(x).argmax(1) == y).sum().item()
            total += len(y)
    return hits / total


def main():
    torch.manual_seed(0)
    x = 3 * torch.randn(64, 6) + 1
    y = (x[:, 0] > 1).long()
    data = TensorDataset(x, y)
    train_loader = DataLoader(data, batch_size=16, shuffle=True)
    test_loader = DataLoader(data, batch_size=32)
    model = Net()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    criterion = nn.CrossEntropyLoss()
    print(f"before {accuracy(model, test_loader):.3f}")
    losses = []
    for epoch in range(3):
        losses.append(train_one_epoch(model, train_loader, optimizer, criterion))
        print(f"epoch {epoch} {losses[-1]:.4f} {accuracy(model, test_loader):.3f}")
    print(model(x[:4]).tolist())
    return losses


if __name__ == "__main__":
    main()
