"""A model that is made around a criterion, which the caller does not look at again, and filled there."""
# also: nnx, linen

import torch
import torch.nn as nn
import torch.nn.functional as F


class Weighted(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(classes))

    def forward(self, y, t):
        return F.cross_entropy(y * self.scale, t)


class Net(nn.Module):
    def __init__(self, classes, criterion):
        super().__init__()
        self.fc = nn.Linear(3, classes)
        self.criterion = criterion

    def forward(self, x, t=None):
        y = self.fc(x)
        if self.criterion is not None and t is not None:
            return self.criterion(y, t)
        return y


def fill(model, value):
    state = {k: torch.full_like(v, value) for k, v in model.state_dict().items()}
    model.load_state_dict(state, strict=False)
    return model


def make(classes, criterion=None, value=None):
    model = Net(classes, criterion)
    if value is not None:
        model = fill(model, value)
    return model


def main():
    criterion = Weighted(4)
    plain = make(4)
    print(plain(torch.zeros(1, 3)).numel())
    net = make(4, criterion=criterion, value=0.5)
    x, t = torch.linspace(-1, 1, 6).view(2, 3), torch.tensor([1, 3])
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for _ in range(3):
        optimizer.zero_grad()
        loss = net(x, t)
        loss.backward()
        optimizer.step()
        print(loss.item())
    print(net(x).sum().item())


main()
