import torch
from torch import nn


class ByValue(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Linear(2, 2)
        self.warm = nn.Linear(2, 2)  # T2J506
        self.cold = nn.Linear(2, 2)  # T2J506

    def forward(self, x):
        x = self.stem(x)
        if x.sum() > 0:
            x = self.warm(x)
        else:
            x = self.cold(x)
        return x


class ByValueToo(nn.Module):
    def __init__(self):
        super().__init__()
        self.left = nn.Linear(2, 2)  # T2J506
        self.right = nn.Linear(2, 2)  # T2J506

    def forward(self, x):
        return self.left(x) if x.sum().item() > 0 else self.right(x)


class ByShape(nn.Module):
    def __init__(self):
        super().__init__()
        self.wide = nn.Linear(2, 2)
        self.deep = nn.Linear(2, 2)

    def forward(self, x):
        if x.shape[0] > 2 and x.dim() == 2 and len(x) < 9:
            return self.wide(x)
        return self.deep(x)


class ByTurns(nn.Module):
    def __init__(self):
        super().__init__()
        self.even = nn.Linear(2, 2)
        self.odd = nn.Linear(2, 2)

    def forward(self, x, turn: int):
        if turn % 2 == 0:
            return self.even(x)
        return self.odd(x)


def train(x: torch.Tensor):
    by_value, by_turns = ByValue(), ByTurns()
    too, by_shape = ByValueToo(), ByShape()
    first = torch.optim.Adam(by_value.parameters())
    second = torch.optim.AdamW(by_turns.parameters())
    for i in range(4):
        first.zero_grad()
        loss = by_value(x).sum()
        loss.backward()
        first.step()
    for i in range(4):
        second.zero_grad()
        loss = by_turns(x, i).sum()
        loss.backward()
        second.step()
    third = torch.optim.SGD(too.parameters(), lr=0.1, weight_decay=0.1)
    for i in range(4):
        third.zero_grad()
        loss = too(x).sum()
        loss.backward()
        third.step()
    fourth = torch.optim.Adam(by_shape.parameters())
    for i in range(4):
        fourth.zero_grad()
        loss = by_shape(x[i:]).sum()
        loss.backward()
        fourth.step()
    return by_value, by_turns, too, by_shape
