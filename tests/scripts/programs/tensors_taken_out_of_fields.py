# flagged: T2J303
import torch


class Memory:
    def __init__(self):
        self.slots = [torch.ones(3), torch.ones(2)]

    def decay(self):
        first = self.slots[0]
        first.mul_(0.5)


memory = Memory()
memory.decay()
print([s.tolist() for s in memory.slots])
