"""A small residual network with batch normalization, trained by SGD with momentum."""

import argparse
import json
import time

import torch
import torch.nn.functional as F
from torch import nn


class Block(nn.Module):
    def __init__(self, inputs: int, outputs: int, stride: int):
        super().__init__()
        self.conv1 = nn.Conv2d(inputs, outputs, 3, stride=stride, padding=1, bias=False)
        self.bn1 = nn.BatchNorm2d(outputs)
        self.conv2 = nn.Conv2d(outputs, outputs, 3, padding=1, bias=False)
        self.bn2 = nn.BatchNorm2d(outputs)
        self.shortcut = nn.Conv2d(inputs, outputs, 1, stride=stride, bias=False)

    def forward(self, x):
        h = F.relu(self.bn1(self.conv1(x)))
        h = self.bn2(self.conv2(h))
        return F.relu(h + self.shortcut(x))


class ResNet(nn.Module):
    def __init__(self, width: int, classes: int):
        super().__init__()
        self.stem = nn.Conv2d(3, width, 3, padding=1)
        self.block1 = Block(width, width, 1)
        self.block2 = Block(width, 2 * width, 2)
        self.block3 = Block(2 * width, 4 * width, 2)
        self.fc = nn.Linear(4 * width, classes)

    def forward(self, x):
        x = F.relu(self.stem(x))
        x = self.block3(self.block2(self.block1(x)))
        x = x.mean(dim=(2, 3))
        return self.fc(x)


def train(model: nn.Module, optimizer: torch.optim.Optimizer, x: torch.Tensor, y: torch.Tensor, steps: int) -> float:
    model.train()
    for _ in range(steps):
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
    return loss.item()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--batch", type=int, default=128)
    parser.add_argument("--width", type=int, default=64)
    args = parser.parse_args()

    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    torch.manual_seed(0)
    x = torch.randn(args.batch, 3, 32, 32, device=device)
    y = torch.randint(10, (args.batch,), device=device)
    model = ResNet(args.width, 10).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9, weight_decay=5e-4)

    start = time.perf_counter()
    train(model, optimizer, x, y, 1)
    first = time.perf_counter() - start
    train(model, optimizer, x, y, 10)
    start = time.perf_counter()
    loss = train(model, optimizer, x, y, args.steps)
    step = (time.perf_counter() - start) / args.steps
    print(json.dumps({"first": first, "step": step, "loss": loss}))


if __name__ == "__main__":
    main()
