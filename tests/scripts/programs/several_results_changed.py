"""Changes in place of one of several tensors that an operation gives: they share nothing with each other."""

import torch


def match(threshold, overlaps):
    best_prior, prior_index = overlaps.max(1, keepdim=True)
    best_truth, truth_index = overlaps.max(0, keepdim=True)
    truth_index.squeeze_(0)
    best_truth.squeeze_(0)
    prior_index.squeeze_(1)
    best_prior.squeeze_(1)
    best_truth.index_fill_(0, prior_index, 2)
    for j in range(prior_index.size(0)):
        truth_index[prior_index[j]] = j
    truth_index[best_truth < threshold] = 0
    return best_truth, truth_index, best_prior


def suppress(scores, boxes, limit):
    values, order = scores.sort(0, descending=True)
    order = order[:limit]
    kept = []
    while order.numel() > 0:
        i = order[0]
        kept.append(i.item())
        order = order[1:][(boxes[order[1:]] - boxes[i]).abs() > 0.5]
    values[0] = -1
    return kept, values


def whole(x):
    found = x.topk(2)
    best, places = found.values, found.indices
    best += 1
    return best, places


def held(x):
    values, places = x.min(1)
    kept = [values]
    places += 1
    values.mul_(2)
    return kept[0], places


overlaps = torch.arange(12.0).reshape(3, 4).sin()
print([x.tolist() for x in match(0.5, overlaps)])
kept, values = suppress(overlaps[0], overlaps[1], 3)
print(kept, values.tolist())
print([x.tolist() for x in whole(overlaps)])
print([x.tolist() for x in held(overlaps)])
