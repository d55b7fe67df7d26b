# flagged: T2J303
import torch


def decay(t):
    t.mul_(0.5)


class Memory:
    def __init__(self):
        self.slots = [torch.ones(3), torch.ones(2)]

    def run(self):
        for i in range(len(self.slots)):
            decay(self.slots[i])


memory = Memory()
memory.run()
print([s.tolist() for s in memory.slots])
