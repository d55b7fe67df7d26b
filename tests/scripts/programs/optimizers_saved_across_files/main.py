# flagged: T2J201
"""A function of another file saves the optimizer itself, which a checkpoint may have given."""

import torch
from torch import nn
from utils import PLACE, save_checkpoint

checkpoint = None


def train(model, criterion, optimizer):
    batches = [(torch.arange(12).reshape(3, 4) * 0.1 * (k + 1), torch.ones(3, 2) * k) for k in range(3)]
    model.train()
    total = 0.0
    for x, y in batches:
        loss = criterion(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    print(total / len(batches))


def main():
    global checkpoint
    if checkpoint is None:
        start = 0
        model = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 2))
        for i, p in enumerate(model.parameters()):
            nn.init.constant_(p, 0.1 * (i + 1))
        optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    else:
        checkpoint = torch.load(checkpoint, weights_only=False)
        start = checkpoint["epoch"] + 1
        model = checkpoint["model"]
        optimizer = checkpoint["optimizer"]
    model = model.to("cpu")
    for epoch in range(start, start + 2):
        train(model, nn.MSELoss(), optimizer)
        save_checkpoint(epoch, model, optimizer)


if __name__ == "__main__":
    main()
    checkpoint = PLACE
    main()
