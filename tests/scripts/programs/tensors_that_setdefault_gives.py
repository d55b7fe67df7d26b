# flagged: T2J303
"""A tensor that `setdefault` gives is the one in the dictionary, which a change in place reaches."""

import torch


class Averages:
    def __init__(self):
        self.shadow = {}

    def put(self, name, value):
        kept = self.shadow.setdefault(name, torch.zeros(3))
        kept.mul_(0.5).add_(value)
        return kept.sum()


averages = Averages()
averages.put("a", torch.ones(3))
averages.put("a", torch.ones(3))
print(averages.shadow["a"])
