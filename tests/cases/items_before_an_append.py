"""The last item of a list before it gets another one is another tensor than the last one behind it."""

import torch


def counted_from_the_end(n):
    parts = [torch.zeros(2) for _ in range(n)]
    last = parts[-1]
    parts.append(torch.ones(2))
    parts[-1][0] = 5  # T2J301
    last[1] = 7  # T2J301
    return parts, last


def counted_from_the_end_of_a_filled_list(n):
    parts = []
    last = None
    for _ in range(n):
        parts.append(torch.zeros(2))
        last = parts[-1]
        parts.append(torch.ones(2))
        parts[-1][0] = 5  # T2J301
        last[1] = 7  # T2J301
    return parts, last


def given_before(n):
    parts = [torch.zeros(2) for _ in range(n)]
    parts[-1] = torch.ones(2)
    last = parts[-1]
    parts.append(torch.ones(2))
    parts[-1][0] = 5  # T2J301
    last[1] = 7  # T2J301
    return parts, last


def filled_with_what_another_holds(n):
    parts, shared = [], torch.zeros(2)
    for i in range(n):
        parts.append(torch.zeros(2))
        if i == 1:
            parts.append(shared)
    for i in range(len(parts)):
        parts[i][1] = i  # T2J301
    return parts, shared


def kept_over_rounds(n):
    kept = []
    part = torch.zeros(2, 2)
    for i in range(n):
        kept.append(part)
        if i % 2 == 1:
            part = torch.ones(2, 2)
        part = part.t()
        part[0] += 1  # T2J301
    return kept


print(counted_from_the_end(2), counted_from_the_end_of_a_filled_list(2), given_before(2))
print(filled_with_what_another_holds(2), kept_over_rounds(2))
