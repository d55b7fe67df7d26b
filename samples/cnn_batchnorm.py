"""A small convolutional network with batch normalisation on images of oriented stripes."""

import math

import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim
from torch.utils.data import DataLoader, TensorDataset


def conv_block(in_channels, out_channels):
    return nn.Sequential(
        nn.Conv2d(in_channels, out_channels, kernel_size=3, padding=1, bias=False),
        nn.BatchNorm2d(out_channels),
        nn.ReLU(inplace=True),
        nn.MaxPool2d(2),
    )


class ConvNet(nn.Module):
    def __init__(self, num_classes=4, channels=8, p=0.25):
        super().__init__()
        self.block1 = conv_block(1, channels)
        self.block2 = conv_block(channels, 2 * channels)
        self.conv3 = nn.Conv2d(2 * channels, 2 * channels, 3, stride=2, padding=1)
        self.bn3 = nn.BatchNorm2d(2 * channels, momentum=0.2)
        self.drop = nn.Dropout(p)
        self.fc = nn.Linear(2 * channels * 2 * 2, num_classes)

    def forward(self, x):
        x = self.block1(x)  # (B, C, 8, 8)
        x = self.block2(x)  # (B, 2C, 4, 4)
        x = F.relu(self.bn3(self.conv3(x)))  # (B, 2C, 2, 2)
        x = torch.flatten(x, 1)
        x = self.drop(x)
        return F.log_softmax(self.fc(x), dim=1)


def make_stripes(n, size=16, num_classes=4, noise=0.3):
    """Images of stripes in `num_classes` directions, and the direction of each."""
    labels = torch.randint(0, num_classes, (n,))
    angle = labels.float() * math.pi / num_classes
    phase = 2 * math.pi * torch.rand(n)
    grid = torch.arange(size, dtype=torch.float32) - size / 2
    ys, xs = torch.meshgrid(grid, grid, indexing="ij")
    # distance of every pixel along the direction of its image: (n, size, size)
    along = torch.cos(angle)[:, None, None] * xs + torch.sin(angle)[:, None, None] * ys
    images = torch.sin(along + phase.view(-1, 1, 1))
    images = images + noise * torch.randn(n, size, size)
    return images.unsqueeze(1), labels


def test(model, loader):
    model.eval()
    loss = 0
    correct = 0
    with torch.no_grad():
        for data, target in loader:
            output = model(data)
            loss += F.nll_loss(output, target, reduction="sum").item()
            pred = output.argmax(dim=1, keepdim=True)
            correct += pred.eq(target.view_as(pred)).sum().item()
    loss /= len(loader.dataset)
    print(f"test: loss {loss:.4f}, accuracy {correct}/{len(loader.dataset)}")


def main():
    torch.manual_seed(1)
    train_images, train_labels = make_stripes(256)
    test_images, test_labels = make_stripes(64)
    train_loader = DataLoader(TensorDataset(train_images, train_labels), batch_size=32, shuffle=True)
    test_loader = DataLoader(TensorDataset(test_images, test_labels), batch_size=64)

    model = ConvNet()
    optimizer = optim.SGD(model.parameters(), lr=0.02, momentum=0.9, weight_decay=5e-4)
    losses = []
    for epoch in range(2):
        model.train()
        for batch_idx, (data, target) in enumerate(train_loader):
            output = model(data)
            loss = F.nll_loss(output, target)
            loss.backward()
            optimizer.step()
            optimizer.zero_grad()
            losses.append(loss.item())
            if batch_idx % 4 == 0:
                print(f"epoch {epoch} [{batch_idx * len(data)}/{len(train_loader.dataset)}]: loss {loss.item():.4f}")
        test(model, test_loader)
    return losses


if __name__ == "__main__":
    main()
