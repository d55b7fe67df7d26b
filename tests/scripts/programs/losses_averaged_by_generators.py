# also: nnx, linen
"""A mean that takes generators and lists of losses, and starts with the first of them."""

from itertools import filterfalse

import torch
import torch.nn as nn
import torch.nn.functional as F


def isnan(x):
    return x != x


def mean(values, ignore_nan=False, empty=0):
    values = iter(values)
    if ignore_nan:
        values = filterfalse(isnan, values)
    try:
        n = 1
        acc = next(values)
    except StopIteration:
        if empty == "raise":
            raise ValueError("Empty mean") from None
        return empty
    for n, v in enumerate(values, 2):
        acc += v
    if n == 1:
        return acc
    return acc / n


def total(terms):
    terms = iter(terms)
    first = next(terms)
    for term in terms:
        first += term
    return first


def jaccard_grad(sorted_labels):
    count = sorted_labels.sum()
    intersection = count - sorted_labels.float().cumsum(0)
    union = count + (1 - sorted_labels).float().cumsum(0)
    jaccard = 1.0 - intersection / union
    if len(sorted_labels) > 1:
        jaccard[1:] = jaccard[1:] - jaccard[:-1]
    return jaccard


def hinge_flat(logits, labels):
    if len(labels) == 0:
        return logits.sum() * 0.0
    signs = 2.0 * labels.float() - 1.0
    errors = 1.0 - logits * signs
    ordered, places = torch.sort(errors, dim=0, descending=True)
    return torch.dot(F.relu(ordered), jaccard_grad(labels[places]))


def hinge(logits, labels, per_image=True):
    if per_image:
        return mean(hinge_flat(one.view(-1), other.view(-1)) for one, other in zip(logits, labels))
    return hinge_flat(logits.view(-1), labels.view(-1))


def softmax_flat(probs, labels):
    if probs.numel() == 0:
        return probs * 0.0
    losses = []
    for c in range(probs.size(1)):
        found = (labels == c).float()
        if found.sum() == 0:
            continue
        errors = (found - probs[:, c]).abs()
        ordered, places = torch.sort(errors, 0, descending=True)
        losses.append(torch.dot(ordered, jaccard_grad(found[places])))
    return mean(losses)


def softmax(probs, labels):
    return mean([softmax_flat(one, other) for one, other in zip(probs, labels)], ignore_nan=True)


torch.manual_seed(0)
model = nn.Linear(4, 3)
with torch.no_grad():
    model.weight.copy_(torch.sin(torch.arange(12.0)).reshape(3, 4))
    model.bias.zero_()
x = torch.cos(torch.arange(48.0)).reshape(2, 6, 4)
y = torch.arange(12).reshape(2, 6) % 3
optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
for step in range(4):
    optimizer.zero_grad()
    out = model(x)
    loss = softmax(torch.softmax(out, 2), y) + hinge(out[..., 0], (y == 0).long())
    loss.backward()
    optimizer.step()
    print(step, loss.item())
print(hinge(x[..., 0], (y == 1).long(), per_image=False))
print(total(row * 2 for row in x[0]), total([torch.ones(2), torch.ones(2) * 3]))
