# also: nnx, linen
"""Models and optimizers that a function alone binds, by `global`, and that others train and ask."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 2)
        self.bn = nn.BatchNorm1d(2)

    def forward(self, x):
        return self.bn(self.fc(x))


def setup():
    global model, optimizer, criterion, best, history
    torch.manual_seed(0)
    model = Net()
    with torch.no_grad():
        model.fc.weight.copy_(torch.cos(torch.arange(6.0)).reshape(2, 3))
        model.fc.bias.zero_()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    criterion = nn.CrossEntropyLoss()
    best = 100.0
    history = []


def train(x, y):
    global best
    model.train()
    optimizer.zero_grad()
    loss = criterion(model(x), y)
    loss.backward()
    optimizer.step()
    best = min(best, loss.item())
    history.append(loss.item())
    return loss.item()


def test(x, y):
    model.eval()
    with torch.no_grad():
        return criterion(model(x), y).item()


def main():
    setup()
    x = torch.sin(torch.arange(12.0)).reshape(4, 3)
    y = torch.tensor([0, 1, 1, 0])
    for _ in range(3):
        print(train(x, y), test(x, y))
    print(best, history)


main()
