# expect: equal
"""A class that trains and evaluates a model."""

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class Classifier(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(d_in, 12), nn.GELU(), nn.Dropout(0.2), nn.Linear(12, d_out))

    def forward(self, x):
        return self.net(x)


class Trainer:
    def __init__(self, model, train_loader, val_loader, lr=1e-2, device="cpu"):
        self.device = device
        self.model = model.to(device)
        self.train_loader = train_loader
        self.val_loader = val_loader
        self.criterion = nn.CrossEntropyLoss()
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=lr)
        self.history = []

    def train_epoch(self):
        self.model.train()
        total = 0.0
        for x, y in self.train_loader:
            x, y = x.to(self.device), y.to(self.device)
            self.optimizer.zero_grad()
            logits = self.model(x)
            loss = self.criterion(logits, y)
            loss.backward()
            self.optimizer.step()
            total += loss.item()
        return total / len(self.train_loader)

    @torch.no_grad()
    def evaluate(self):
        self.model.eval()
        correct, count = 0, 0
        for x, y in self.val_loader:
            logits = self.model(x.to(self.device))
            correct += (logits.argmax(1) == y.to(self.device)).sum().item()
            count += y.size(0)
        return correct / count

    def fit(self, epochs):
        for epoch in range(epochs):
            loss = self.train_epoch()
            accuracy = self.evaluate()
            self.history.append(loss)
            print(f"{epoch}: {loss:.4f} {accuracy:.3f}")
        return self.history


def main():
    torch.manual_seed(0)
    x = torch.randn(80, 6)
    y = (x.sum(dim=1) > 0).long()
    data = TensorDataset(x, y)
    trainer = Trainer(Classifier(6, 2), DataLoader(data, 20, shuffle=True), DataLoader(data, 40))
    return trainer.fit(4)


if __name__ == "__main__":
    main()
