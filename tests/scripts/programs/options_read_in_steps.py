import argparse
from dataclasses import dataclass

import torch
import torch.nn as nn


@dataclass
class Config:
    beta: float = 0.5
    clip: float = 1.0
    square: bool = True


def train(args, config):
    model = nn.Linear(3, 1)
    with torch.no_grad():
        model.weight.fill_(0.5)
        model.bias.fill_(0.1)
    optimizer = torch.optim.SGD(model.parameters(), lr=args.lr)
    x = torch.linspace(-1, 1, 12).view(4, 3)
    for step in range(3):
        out = model(x)
        loss = out.pow(2).mean() * args.beta + (out.abs().mean() * config.beta if config.square else 0.0)
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), config.clip)
        optimizer.step()
        print(step, f"{loss.item():.5f}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--lr", type=float, default=0.1)
    parser.add_argument("--beta", type=float, default=2.0)
    args = parser.parse_args()
    train(args, Config())


main()
