"""`found.append(x.mul_(2))`: changed first, and stored then."""

import torch


def accuracy(output, target, topk=(1,)):
    with torch.no_grad():
        _, predicted = output.topk(max(topk), 1, True, True)
        predicted = predicted.t()
        correct = predicted.eq(target.view(1, -1).expand_as(predicted))
        found = []
        for k in topk:
            correct_k = correct[:k].reshape(-1).float().sum(0, keepdim=True)
            found.append(correct_k.mul_(100.0 / target.size(0)))
        return found


def case_in_a_loop(x, index):
    return accuracy(x, index, (1, 2))


def case_chain(v):
    found = []
    y = v.sum(0)
    found.append(y.add_(1).mul_(2))
    return found, y


def case_stored_twice(v):
    found = []
    y = v * 1
    found.append(y)
    found.append(y.add_(1))
    return found, y


def case_argument(v: torch.Tensor):
    found = []
    found.append(v.add_(1))  # T2J300
    return found


def case_view(x):
    found = []
    y = x * 1
    row = y[0]
    found.append(row.mul_(2))  # T2J303
    return found, y
