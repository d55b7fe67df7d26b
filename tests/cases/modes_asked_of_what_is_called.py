"""What is called and asked for its mode is a module; what only has settings of that name is none."""

import torch


def one_epoch(model, criterion, loader, optimizer=None):
    total = 0
    for x, y in loader:
        loss = criterion(model(x), y)
        if model.training:
            loss.backward()
            optimizer.step()
            optimizer.zero_grad()
        total += loss.detach()
    return total


def rate(config, step):
    return torch.tensor(config.training.rate * step)
