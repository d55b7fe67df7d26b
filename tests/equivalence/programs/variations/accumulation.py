# expect: equal
"""Gradients are accumulated over several batches."""

import torch
import torch.nn as nn
import torch.nn.functional as F


def train(model, optimizer, batches, accumulation_steps):
    losses = []
    optimizer.zero_grad()
    for i, (x, y) in enumerate(batches):
        loss = F.cross_entropy(model(x), y) / accumulation_steps
        loss.backward()
        if (i + 1) % accumulation_steps == 0:
            optimizer.step()
            optimizer.zero_grad()
        losses.append(loss.item())
    return losses


def main():
    torch.manual_seed(0)
    x = torch.randn(32, 4)
    y = torch.randint(0, 2, (32,))
    batches = [(x[i : i + 8], y[i : i + 8]) for i in range(0, 32, 8)]
    model = nn.Linear(4, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    losses = []
    for epoch in range(3):
        losses += train(model, optimizer, batches, 2)
    print(losses)


if __name__ == "__main__":
    main()
