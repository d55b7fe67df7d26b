"""Dictionaries of parameters that are changed by name, but used in another way too, or in an order that counts."""

import torch
from torch import nn


@torch.no_grad()
def counted(one: nn.Linear, other: nn.Linear):
    table = dict(one.named_parameters())
    total = 0.0
    for k, v in other.named_parameters():
        table[k].copy_(0.5 * table[k] + v + total)  # T2J302
        total = total + 1
    return total


@torch.no_grad()
def looked_at(one: nn.Linear, other: nn.Linear):
    table = dict(one.named_parameters())
    for k, v in other.named_parameters():
        table[k].copy_(v)  # T2J302
    return table["bias"].sum()


@torch.no_grad()
def left_early(one: nn.Linear, other: nn.Linear):
    table = dict(one.named_parameters())
    for k, v in other.named_parameters():
        if k == "bias":
            break
        table[k].copy_(v)  # T2J302


@torch.no_grad()
def of_the_same(one: nn.Linear):
    table = dict(one.named_parameters())
    for k, v in one.named_parameters():
        table[k].add_(v)  # T2J302


@torch.no_grad()
def of_other_names(one: nn.Linear, other: nn.Linear):
    table = dict(one.named_parameters())
    for k, v in other.named_parameters():
        table[k.replace("a", "a")].copy_(v)  # T2J302


@torch.no_grad()
def with_a_name_beside(one: nn.Linear, other: nn.Linear):
    table = dict(one.named_parameters())
    for k, v in other.named_parameters():
        table[k].copy_(v)  # T2J302
    print(k)
