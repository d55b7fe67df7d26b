"""Rows that each round of a loop makes anew are its own, but not those that have been kept before they change."""

import torch


def changed_first(pred: torch.Tensor, keep):
    for x in pred:
        x = x[x[..., 4] > 0]
        x[:, 5:] *= x[:, 4:5]
        keep["x"] = x


def of_the_round_before(pred: torch.Tensor, keep):
    last = None
    for x in pred:
        x = x * 2
        keep.append(x)
        if last is not None:
            last += 1  # T2J303
        last = x


def kept_at_the_end(pred: torch.Tensor, keep):
    last = torch.zeros(2)
    for x in pred:
        last += x  # T2J303
        last = x * 2
        keep.append(last)


def kept_first(pred: torch.Tensor, keep):
    x = pred * 1
    for i in range(3):
        keep.append(x)
        x[:, 1:] += 1  # T2J303
        if i == 1:
            x = x * 2


def made_in_some_rounds(pred: torch.Tensor, keep):
    for i in range(3):
        if i != 1:
            x = pred * 2
            keep.append(x)
        x[:, 1:] += 1  # T2J303


def picked_from_a_list(pairs, i: torch.Tensor):
    x = pairs[pairs[i] > 0]
    x += torch.ones(2)  # T2J303
    return pairs, x
