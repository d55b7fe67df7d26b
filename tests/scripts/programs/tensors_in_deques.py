# flagged: T2J303
"""A tensor in a deque that an object keeps is changed in place: whoever has put it there sees it, too."""

from collections import deque

import torch


class Memory:
    def __init__(self):
        self.recent = deque(maxlen=3)

    def add(self, x):
        self.recent.append(x)

    def clear_first(self):
        self.recent[0].zero_()


memory = Memory()
for i in range(4):
    memory.add(torch.arange(3.0) + i)
memory.clear_first()
print(list(memory.recent))
