"""Lists that have a name, or that something makes, as indices: read, stored to, empty, of booleans and of tensors."""

import torch


def kept(scores: torch.Tensor, limit: int):
    found = []
    order = scores.argsort(descending=True)
    while order.numel() > limit:
        found.append(order[0].item())
        order = order[1:]
    return found


def case_grown(square: torch.Tensor):
    keep = kept(square[:, 0], 1)
    return square[keep], square[kept(square[:, 1], 0)], square[keep, 1]


def case_empty(square: torch.Tensor):
    return square[kept(square[:, 0], 100)]


def case_made(square: torch.Tensor):
    rows = [0, 2]
    return (
        square[rows],
        square[[i for i in range(2)]],
        square[list(range(2))],
        square[sorted(rows, reverse=True)],
        square[rows + [1]],
    )


def case_booleans(square: torch.Tensor):
    mask = [i % 2 == 0 for i in range(square.shape[0])]
    return square[mask]


def case_tensors(square: torch.Tensor):
    rows = [square[:, 0].argmax(), square[:, 1].argmin()]
    nested = [[0, 1], [1, 2]]
    return square[rows], square[[square[:, 0].argmax(), rows[0]]], square[nested], square[[[0, 2]]]


def pick(square: torch.Tensor, rows):
    return square[rows]


def case_passed(square: torch.Tensor):
    return pick(square, [2, 1]), pick(square, kept(square[:, 0], 2))


def case_stores(square: torch.Tensor):
    rows = kept(square[:, 0], 1)
    y = square.clone()
    y[rows] = 0
    y[rows[:1]] += 2
    y[rows, 0] *= 3
    return y


def case_ranges(square: torch.Tensor):
    columns = torch.tensor([2, 0, 1])
    y = square.clone()
    y[range(2), columns[:2]] = -1
    return square[range(3), columns], square[range(len(columns)), columns], square[range(1, 3)], square[:, range(2)], y
