"""A classifier of three dense layers, trained by Adam."""

import argparse
import json
import time

import torch
from torch import nn


class MLP(nn.Module):
    def __init__(self, inputs: int, hidden: int, classes: int):
        super().__init__()
        self.layers = nn.Sequential(
            nn.Linear(inputs, hidden), nn.ReLU(), nn.Linear(hidden, hidden), nn.ReLU(), nn.Linear(hidden, classes)
        )

    def forward(self, x):
        return self.layers(x)


def train(model: nn.Module, optimizer: torch.optim.Optimizer, x: torch.Tensor, y: torch.Tensor, steps: int) -> float:
    criterion = nn.CrossEntropyLoss()
    model.train()
    for _ in range(steps):
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
    return loss.item()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--batch", type=int, default=256)
    parser.add_argument("--width", type=int, default=512)
    args = parser.parse_args()

    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    torch.manual_seed(0)
    x = torch.randn(args.batch, 784, device=device)
    y = torch.randint(10, (args.batch,), device=device)
    model = MLP(784, args.width, 10).to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)

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
