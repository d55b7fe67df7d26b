# flagged: T2J303
"""A loop over a generator that gives what a list holds changes the tensors of the list."""

import torch


class Bank:
    def __init__(self, n):
        self.items = [torch.zeros(2) for _ in range(n)]

    def each(self):
        for item in self.items:
            yield item


bank = Bank(3)
for i, item in enumerate(bank.each()):
    item += i
print(bank.items)
