# also: nnx, linen
"""Functions of another file that switch the mode of the model in the middle of a step: which mode it is in behind that."""

import torch
import torch.optim as optim
import torch.nn.functional as F
from losses import evaluated_loss, robust_loss
from models import Net


def fill(model):
    with torch.no_grad():
        for k, p in enumerate(model.parameters()):
            p.copy_(torch.sin(torch.arange(p.numel(), dtype=torch.float32) + k).view(p.shape) * 0.5)


def batches():
    for n in range(3):
        x = torch.cos(torch.arange(24.0) * (n + 1)).view(4, 6).abs()
        yield x, torch.tensor([0, 1, 2, n % 3])


def train(model, loader, optimizer):
    model.train()
    for data, target in loader:
        loss = robust_loss(model=model, clean=data, y=target, optimizer=optimizer)
        loss.backward()
        optimizer.step()
        print("robust", round(loss.item(), 4))


def train_at_once(model, loader, optimizer):
    for data, target in loader:
        robust_loss(model, data, target, optimizer, rounds=1).backward()
        optimizer.step()
    print(round(model.fc2.weight.sum().item(), 4))


def train_in_two_modes(model, loader, optimizer):
    model.train()
    for data, target in loader:
        optimizer.zero_grad()
        loss = F.cross_entropy(model(data), target) + evaluated_loss(model, data, target)
        loss.backward()
        optimizer.step()
        print("two modes", round(loss.item(), 4), model.training)


def evaluate(model, loader):
    model.eval()
    total = 0.0
    with torch.no_grad():
        for data, target in loader:
            total += F.cross_entropy(model(data), target, reduction="sum").item()
    return total


def main():
    model = Net()
    fill(model)
    optimizer = optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    train(model, batches(), optimizer)
    print(round(evaluate(model, batches()), 4))
    train_at_once(model, batches(), optimizer)
    train_in_two_modes(model, batches(), optimizer)
    print(round(model.bn.running_mean.sum().item(), 4))


if __name__ == "__main__":
    main()
