# expect: equal
"""A dataset of the user whose items are dictionaries."""

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset


class Pairs(Dataset):
    def __init__(self, size):
        self.features = torch.randn(size, 4)
        self.labels = (self.features.sum(dim=1) > 0).long()

    def __len__(self):
        return len(self.features)

    def __getitem__(self, idx):
        return {"features": self.features[idx], "label": self.labels[idx]}


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 2)

    def forward(self, features):
        return self.fc(features)


def train(model, loader, optimizer, device):
    model.train()
    losses = []
    for batch in loader:
        features = batch["features"].to(device)
        label = batch["label"].to(device)
        optimizer.zero_grad()
        loss = F.cross_entropy(model(features), label)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


def main():
    torch.manual_seed(0)
    device = torch.device("cpu")
    loader = DataLoader(Pairs(48), batch_size=16, shuffle=True)
    model = Net().to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.3)
    losses = []
    for epoch in range(3):
        losses += train(model, loader, optimizer, device)
    print(f"{losses[-1]:.4f}")
    return losses


if __name__ == "__main__":
    main()
