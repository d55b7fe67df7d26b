"""A character model of two LSTM layers, trained by Adam."""

import argparse
import json
import time

import torch
import torch.nn.functional as F
from torch import nn


class CharRNN(nn.Module):
    def __init__(self, vocabulary: int, width: int):
        super().__init__()
        self.embedding = nn.Embedding(vocabulary, width)
        self.lstm = nn.LSTM(width, width, num_layers=2, batch_first=True)
        self.head = nn.Linear(width, vocabulary)

    def forward(self, tokens):
        x, _ = self.lstm(self.embedding(tokens))
        return self.head(x)


def train(model: nn.Module, optimizer: torch.optim.Optimizer, tokens: torch.Tensor, steps: int) -> float:
    model.train()
    for _ in range(steps):
        optimizer.zero_grad()
        logits = model(tokens[:, :-1])
        loss = F.cross_entropy(logits.transpose(1, 2), tokens[:, 1:])
        loss.backward()
        optimizer.step()
    return loss.item()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--length", type=int, default=128)
    parser.add_argument("--width", type=int, default=256)
    args = parser.parse_args()

    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    torch.manual_seed(0)
    tokens = torch.randint(96, (args.batch, args.length + 1), device=device)
    model = CharRNN(96, args.width).to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)

    start = time.perf_counter()
    train(model, optimizer, tokens, 1)
    first = time.perf_counter() - start
    train(model, optimizer, tokens, 10)
    start = time.perf_counter()
    loss = train(model, optimizer, tokens, args.steps)
    step = (time.perf_counter() - start) / args.steps
    print(json.dumps({"first": first, "step": step, "loss": loss}))


if __name__ == "__main__":
    main()
