"""Classify points on interleaved spirals with a residual MLP."""

from dataclasses import dataclass

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset


@dataclass
class Config:
    num_classes: int = 3
    points_per_class: int = 100
    width: int = 32
    depth: int = 2
    dropout: float = 0.1
    batch_size: int = 50
    epochs: int = 4
    lr: float = 3e-3
    weight_decay: float = 0.05


class Spirals(Dataset):
    """Points on `num_classes` spiral arms, with a little noise."""

    def __init__(self, num_classes: int, points_per_class: int, seed: int = 0):
        rng = np.random.default_rng(seed)
        points, labels = [], []
        for c in range(num_classes):
            radius = np.linspace(0.1, 1.0, points_per_class)
            angle = 4.0 * radius + 2 * np.pi * c / num_classes + 0.1 * rng.standard_normal(points_per_class)
            points.append(np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1))
            labels.append(np.full(points_per_class, c))
        self.points = torch.from_numpy(np.concatenate(points).astype(np.float32))
        self.labels = torch.from_numpy(np.concatenate(labels))

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, index):
        return self.points[index], self.labels[index]


class ResidualLayer(nn.Module):
    def __init__(self, width: int, dropout: float):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.fc1 = nn.Linear(width, 2 * width)
        self.fc2 = nn.Linear(2 * width, width)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        h = F.gelu(self.fc1(self.norm(x)))
        return x + self.dropout(self.fc2(h))


class ResidualMLP(nn.Module):
    def __init__(self, config: Config):
        super().__init__()
        self.embed = nn.Linear(2, config.width)
        self.layers = nn.ModuleList([ResidualLayer(config.width, config.dropout) for _ in range(config.depth)])
        self.head = nn.Linear(config.width, config.num_classes)

    def forward(self, x):
        x = torch.tanh(self.embed(x))
        for layer in self.layers:
            x = layer(x)
        return self.head(x)


def train_one_epoch(model, loader, criterion, optimizer):
    """Returns the loss of every step."""
    model.train()
    losses = []
    for points, labels in loader:
        logits = model(points)
        loss = criterion(logits, labels)

        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


def evaluate(model, loader, criterion):
    """Mean loss and accuracy over all examples."""
    model.eval()
    total_loss, correct, count = 0.0, 0, 0
    with torch.no_grad():
        for points, labels in loader:
            logits = model(points)
            total_loss += criterion(logits, labels).item() * labels.size(0)
            correct += (logits.argmax(dim=-1) == labels).sum().item()
            count += labels.size(0)
    return total_loss / count, correct / count


def main():
    torch.manual_seed(0)
    config = Config()
    train_loader = DataLoader(
        Spirals(config.num_classes, config.points_per_class),
        batch_size=config.batch_size,
        shuffle=True,
        drop_last=True,
    )
    test_loader = DataLoader(Spirals(config.num_classes, config.points_per_class, seed=1), batch_size=config.batch_size)

    model = ResidualMLP(config)
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.AdamW(model.parameters(), lr=config.lr, weight_decay=config.weight_decay)

    losses = []
    for epoch in range(config.epochs):
        losses += train_one_epoch(model, train_loader, criterion, optimizer)
        test_loss, accuracy = evaluate(model, test_loader, criterion)
        print(f"epoch {epoch}: train {losses[-1]:.4f}, test {test_loss:.4f}, accuracy {accuracy:.2f}")
    return losses


if __name__ == "__main__":
    main()
