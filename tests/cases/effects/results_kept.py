"""Results that a module also keeps: changed before it keeps them they are its own, changed by its caller they are not."""

import torch
import torch.nn as nn


class Smoothed(nn.Module):
    def __init__(self, size, smoothing):
        super().__init__()
        self.criterion = nn.KLDivLoss(reduction="sum")
        self.size = size
        self.smoothing = smoothing
        self.wanted = None

    def forward(self, x, target):
        wanted = x.data.clone()
        wanted.fill_(self.smoothing / (self.size - 2))
        wanted.scatter_(1, target.data.unsqueeze(1), 1 - self.smoothing)
        wanted[:, 0] = 0
        mask = torch.nonzero(target.data == 0)
        if mask.dim() > 0:
            wanted.index_fill_(0, mask.squeeze(), 0.0)
        self.wanted = wanted
        return self.criterion(x, wanted.clone().detach())


class Parts(nn.Module):
    def __init__(self):
        super().__init__()
        self.last = None

    def forward(self, x):
        h = x.clone()
        view = h[1:]
        h.add_(1)
        view.mul_(2)
        self.last = view
        return h.sum() + view.sum()


class ChangedBehind(nn.Module):
    def __init__(self):
        super().__init__()
        self.last = None

    def forward(self, x):
        h = x.clone()
        self.last = h
        h.mul_(2)  # T2J303
        return h * 1

    def look(self):
        return self.last


class Keeping(nn.Module):
    def __init__(self):
        super().__init__()
        self.seen = None

    def forward(self, x):
        h = x + 1
        self.seen = h
        return h


class Around(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = Keeping()
        self.act = nn.ReLU(inplace=True)

    def forward(self, x):
        return self.act(self.inner(x))  # T2J303


def case_smoothed(x: torch.Tensor):
    criterion = Smoothed(3, 0.4)
    first = criterion(x.log_softmax(-1), torch.tensor([1, 0]))
    kept = criterion.wanted
    second = criterion(x.log_softmax(-1), torch.tensor([2, 2]))
    return first, kept, second, criterion.wanted


def case_parts(x: torch.Tensor):
    model = Parts()
    return model(x), model.last


def case_changed_by_the_caller(x: torch.Tensor):
    model = Keeping()
    y = model(x)
    y.mul_(3)  # T2J303
    return y, model.seen


def case_changed_in_an_expression(x: torch.Tensor):
    model = Keeping()
    y = model(x).clamp_(0)  # T2J303
    return y, model.seen


def case_changed_through_another(x: torch.Tensor):
    model = Keeping()
    y = through(model, x)
    y += 1  # T2J303
    return y, model.seen


def through(model, x):
    return model(x)


def case_in_a_sequential(x: torch.Tensor):
    net = nn.Sequential(Keeping(), nn.ReLU(True))  # T2J303
    return net(x), net[0].seen


def case_read_only(x: torch.Tensor):
    model = Keeping()
    y = model(x)
    y = y * 3
    return y, model.seen
