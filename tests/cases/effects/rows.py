"""Loops over the rows of a tensor that change them."""

import torch


def case_rows(x: torch.Tensor):
    y = x.clone()
    for row in y:
        row.mul_(2)
    return y


def case_enumerated(x: torch.Tensor):
    y = x.clone()
    for i, row in enumerate(y):
        row += i
        row[0] = 9
    return y


def case_zipped(x: torch.Tensor, y: torch.Tensor):
    z = x.clone()
    for row, other in zip(z, y):
        row.add_(other)
    return z


def case_counter_is_taken(x: torch.Tensor):
    y = x.clone()
    i = 10
    for row in y:
        row.add_(i)
    return y, i


def case_nested(batch: torch.Tensor):
    y = batch.clone()
    for matrix in y:
        for row in matrix:
            row /= row.abs().sum() + 1
    return y


def case_base_changes_as_well(x: torch.Tensor):
    y = x.clone()
    total = 0.0
    for row in y:
        y[1, 0] += 1
        total = total + row.sum()
    return y, total


def case_base_and_rows_change(x: torch.Tensor):
    y = x.clone()
    for row in y:
        y[1] += 1
        row.mul_(2)
    return y


def case_range_of_rows(x: torch.Tensor):
    y = x.clone()
    for i in range(y.shape[0]):
        row = y[i]
        row -= row.mean()
    return y


def case_last_row_lives_on(x: torch.Tensor):
    y = x.clone()
    for row in y:
        row += 1
    row.zero_()
    return y


def case_stopped_early(x: torch.Tensor):
    y = x.clone()
    for i, row in enumerate(y):
        row += 1
        if i == 0:
            break
    return y


def case_rows_of_unnamed(x: torch.Tensor):
    y = x.clone()
    for row in y.T:
        row += 1
    return y


def case_rows_of_a_given_tensor(x: torch.Tensor):
    y = torch.zeros(3)
    for row in x:
        y += row
    return y


# unchanged
def case_rows_are_read(x):
    total = 0
    for row in x:
        total = total + row.sum()
    return total


# unchanged
def case_rows_are_rebound(x):
    found = []
    for row in x:
        row = row * 2
        found.append(row)
    return found
