"""Fields that annotations call numbers, and functions of unknown results that give them new values."""

import torch


class Coder:
    scale: int = 3

    def __init__(self):
        self.low: int = 0
        self.high: int = 0
        self.log = []

    def pull(self, cdf: torch.Tensor, choose):
        while self.high - self.low < 9:
            self.low *= 2
            self.high = self.high * 2 + 3
            self.scale *= 2

        def search(lo, hi):
            if hi < lo:
                raise RuntimeError("nothing found")
            mid = (lo + hi) // 2
            low = int(cdf[mid].item()) + self.low
            if choose(self.high, low):
                return mid, low, self.high + mid
            return search(mid + 1, hi)

        self.log.append((self.low, self.high))
        sym, self.low, self.high = search(0, len(cdf))
        self.log.append((self.low, self.high))
        self.low -= 1
        return sym


CHOICES = {"first": lambda high, low: high > low, "last": lambda high, low: high > low + 1}
coder = Coder()
cdf = torch.arange(5)
for i in range(3):
    print(coder.pull(cdf, CHOICES["last" if i == 1 else "first"]), coder.low, coder.high, coder.scale, coder.log)
print(cdf + coder.low)
