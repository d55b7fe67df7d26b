"""Values of unknown kind that come out of containers, are kept, and change in place: others may have them by name."""

import torch

rates = torch.ones(3)


def out_of_the_kept(source):
    keep = []
    for name, x in source:
        keep.append(x)
    y = keep[0]
    y += 1  # T2J301
    return y, keep


def in_a_container_that_is_given(source, keep):
    x = source["a"]
    keep.append(x)
    y = keep[-1]
    y *= rates  # T2J303
    return x, y


def of_the_round_before(pairs):
    kept, last = [], None
    for a, b in pairs:
        kept.append(a)
        if last is not None:
            last += 1  # T2J301
        last = a
    return kept


def in_a_field_of_an_object(holder, source):
    for x in source:
        holder.items.append(x)
        y = holder.items[0]
        y += rates  # T2J301
        print(x)
