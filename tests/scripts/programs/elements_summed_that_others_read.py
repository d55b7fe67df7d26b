# flagged: T2J301
"""The first of the tensors in a list grows, and the list is read again."""

import torch


def total(terms):
    terms = iter(terms)
    first = next(terms)
    for term in terms:
        first += term
    return first


def report(n):
    losses = []
    for i in range(n):
        losses.append(torch.ones(2) * i)
    print(total(losses))
    print(losses)


report(3)
