"""`p.data = value` gives the tensor other values wherever it is: in the module, too, which has to be seen or reported."""

import torch
import torch.nn as nn


def make():
    model = nn.Linear(3, 2)
    for p in model.parameters():
        p.data = torch.linspace(-0.5, 0.6, p.numel()).view(p.shape)
    return model


def case_of_each_parameter(x):
    return make()(x)


def case_of_one_parameter(x):
    model = make()
    model.weight.data = torch.ones(2, 3)
    return model(x)


def case_from_another_model(x):
    model, other = nn.Linear(3, 2), make()
    for p, q in zip(model.parameters(), other.parameters()):
        p.data = 2 * q.data
    return model(x)


def case_counted(x):
    model = make()
    for i, p in enumerate(model.parameters()):
        p.data = torch.full_like(p, 0.1 * (i + 1))
    return model(x)


def case_of_some(x):
    model = make()
    for p in list(model.parameters())[:1]:
        p.data = torch.full_like(p, 0.5)  # T2J303
    return model(x)


def case_in_a_variable(x):
    model = make()
    p = model.weight
    p.data = torch.ones(2, 3)
    return model(x)


def case_data_in_a_variable(x):
    model = make()
    w = model.weight.data
    w.data = torch.ones(2, 3)  # T2J303
    w.add_(1)  # T2J303
    return model(x)


def case_of_pieces(x):
    model = make()
    flat, start = torch.linspace(0, 1, 8), 0
    for p in model.parameters():
        p.data = flat[start : start + p.numel()].view_as(p)
        start += p.numel()
    return model(x)


def set_all(params, value):
    for p in params:
        p.data = torch.full_like(p, value)  # T2J303


def case_by_a_function(x):
    model = make()
    set_all(list(model.parameters()), 0.5)
    return model(x)


def case_kept_copies(x):
    model = make()
    old = [p.data.clone() for p in model.parameters()]
    for p in model.parameters():
        p.data.add_(1.0)
    return old, model(x)


def case_kept_tensors(x):
    model = make()
    old = [p.data for p in model.parameters()]  # T2J303
    for p in model.parameters():
        p.data.add_(1.0)
    return old, model(x)


# unchanged
def case_without_tensors(x):
    return [part for part in [x, x]]
