"""A UNet with group normalization that learns to remove noise, trained by AdamW."""

import argparse
import json
import time

import torch
import torch.nn.functional as F
from torch import nn


class DoubleConv(nn.Module):
    def __init__(self, inputs: int, outputs: int):
        super().__init__()
        self.net = nn.Sequential(
            nn.Conv2d(inputs, outputs, 3, padding=1),
            nn.GroupNorm(8, outputs),
            nn.SiLU(),
            nn.Conv2d(outputs, outputs, 3, padding=1),
            nn.GroupNorm(8, outputs),
            nn.SiLU(),
        )

    def forward(self, x):
        return self.net(x)


class UNet(nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.down1 = DoubleConv(3, width)
        self.down2 = DoubleConv(width, 2 * width)
        self.middle = DoubleConv(2 * width, 4 * width)
        self.up2 = nn.ConvTranspose2d(4 * width, 2 * width, 2, stride=2)
        self.conv2 = DoubleConv(4 * width, 2 * width)
        self.up1 = nn.ConvTranspose2d(2 * width, width, 2, stride=2)
        self.conv1 = DoubleConv(2 * width, width)
        self.out = nn.Conv2d(width, 3, 1)

    def forward(self, x):
        x1 = self.down1(x)
        x2 = self.down2(F.max_pool2d(x1, 2))
        x3 = self.middle(F.max_pool2d(x2, 2))
        x = self.conv2(torch.cat([self.up2(x3), x2], dim=1))
        x = self.conv1(torch.cat([self.up1(x), x1], dim=1))
        return self.out(x)


def train(model: nn.Module, optimizer: torch.optim.Optimizer, images: torch.Tensor, steps: int) -> float:
    model.train()
    for _ in range(steps):
        optimizer.zero_grad()
        noise = torch.randn_like(images)
        loss = F.mse_loss(model(images + noise), noise)
        loss.backward()
        optimizer.step()
    return loss.item()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--size", type=int, default=64)
    parser.add_argument("--width", type=int, default=64)
    args = parser.parse_args()

    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    torch.manual_seed(0)
    images = torch.rand(args.batch, 3, args.size, args.size, device=device)
    model = UNet(args.width).to(device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)

    start = time.perf_counter()
    train(model, optimizer, images, 1)
    first = time.perf_counter() - start
    train(model, optimizer, images, 10)
    start = time.perf_counter()
    loss = train(model, optimizer, images, args.steps)
    step = (time.perf_counter() - start) / args.steps
    print(json.dumps({"first": first, "step": step, "loss": loss}))


if __name__ == "__main__":
    main()
