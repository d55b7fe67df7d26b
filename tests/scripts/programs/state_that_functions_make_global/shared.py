import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, norm):
        super().__init__()
        self.fc = nn.Linear(3, 2)
        self.bn = nn.BatchNorm1d(2) if norm else nn.Identity()

    def forward(self, x):
        return self.bn(self.fc(x))


def init():
    global model, optimizer, counter
    model = Net(True)
    with torch.no_grad():
        model.fc.weight.copy_(torch.cos(torch.arange(6.0)).reshape(2, 3))
        model.fc.bias.zero_()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    counter = 0


def step(x, y):
    global counter
    optimizer.zero_grad()
    loss = nn.functional.cross_entropy(model(x), y)
    loss.backward()
    optimizer.step()
    counter += 1
    return loss.item()
