# flagged: T2J608
import torch
from heads import Head
from layers import HalfLinear


class HalfHead(Head):
    def __init__(self, width):
        super().__init__(width)
        self.linear = HalfLinear(width, 2)
        self.reset()


print(Head(4)(torch.ones(2, 3)).tolist())
print(HalfHead(4)(torch.ones(2, 3)).tolist())
