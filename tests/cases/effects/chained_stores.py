"""Assignments with several targets of which some are stores into tensors: Python evaluates once and fills from left to right."""

import torch


def case_of_an_accumulator(x: torch.Tensor, y: torch.Tensor):
    advantages = torch.zeros_like(x)
    last = 0
    for t in reversed(range(x.shape[0])):
        advantages[t] = last = x[t] + 0.9 * last - y[t]
    return advantages, last


def case_of_a_number(x):
    z = x.clone()
    z[0, 0] = z[1, 1] = 3.0
    return z


def case_of_a_variable(x, y):
    z, first = x.clone(), y[0]
    z[0] = z[1] = first
    return z, first


def case_of_an_index(x):
    z = x.clone()
    i = 0
    i = z[i] = 1
    return z, i


def case_of_an_index_that_is_computed(x):
    z = x.clone()
    i = 0
    i = z[i] = i + 1
    z[0, i] = i = i + 1
    return z, i


def case_of_two_names(x: torch.Tensor, y: torch.Tensor):
    z = torch.zeros(2, 3)
    a = z[0] = b = x[0] + y[0]
    return a, b, z


def case_of_results_only(x: torch.Tensor, y: torch.Tensor):
    z, w = x.clone(), y.clone()
    z[0] = w[1] = z[1] * w[0]
    return z, w


def case_of_what_is_not_known(x):
    x[0] = x[1] = 1.0  # T2J207
    return x


def case_together(x, y):
    z, w = x.clone(), y.clone()
    z[0, 0], w[1, 1] = 1, 2
    z[1], first = torch.sort(z[0] + w[1])
    return z, w, first


def case_exchanged(x):
    z = x.clone()
    z[0], z[1] = z[1].clone(), z[0].clone()
    return z


def case_exchanged_views(x):
    z = x.clone()
    z[0], z[1] = z[1], z[0]
    return z


def case_index_bound_together(x):
    z = x.clone()
    i = 0
    i, z[i] = 1, 5.0  # T2J302
    return z


# unchanged
def case_of_lists(x):
    found = [None, None]
    found[0] = found[1] = x
    return found
