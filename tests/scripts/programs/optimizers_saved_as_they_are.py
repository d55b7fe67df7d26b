# flagged: T2J201
"""A checkpoint holds the optimizer itself, which is made of functions here that no file keeps."""

import os
import tempfile

import torch
from torch import nn


def save_checkpoint(epoch, model, optimizer, place):
    state = {"epoch": epoch, "model": model, "optimizer": optimizer}
    torch.save(state, place)


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


def main(checkpoint):
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
        save_checkpoint(epoch, model, optimizer, os.path.join(tempfile.gettempdir(), "tr_z1.pth"))


if __name__ == "__main__":
    main(None)
    main(os.path.join(tempfile.gettempdir(), "tr_z1.pth"))
