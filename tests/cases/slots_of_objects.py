"""Tensors in slots that objects change in place, and that something else holds."""

import torch


class Cache:
    def __init__(self, n):
        self.keys = [torch.zeros(4) for _ in range(n)]
        self.parts = {"a": torch.zeros(2, 2), "b": torch.ones(2, 2)}

    def put(self, i, v):
        self.keys[i][1:3] = v
        self.parts["a"][i] += v

    def get(self, i):
        return self.keys[i]

    def rows(self, n):
        for start in range(n):
            yield {k: v[start : start + 1] for k, v in self.parts.items()}

    def swap(self, i, v):
        old = self.keys[i]
        self.keys[i][0] = v  # T2J303
        return old, self.keys[i]


cache = Cache(2)
key = cache.get(0)
cache.put(0, torch.ones(2))  # T2J303
print(key)
row = next(cache.rows(2))
cache.put(1, torch.ones(2))  # T2J303
print(row)
kept = []
for i in range(2):
    cache.put(i, torch.ones(2))  # T2J303
    for row in cache.rows(2):
        kept.append(row["a"])
print(kept)


class Box:
    def __init__(self):
        self.data = torch.zeros(3)

    def put(self, i, v):
        self.data[i] = v


box = Box()
data = box.data
box.put(0, 2.0)  # T2J303
print(data)


class Same:
    def __init__(self, n, x: torch.Tensor):
        self.keys = [torch.zeros(4)] * n
        self.lent = {"x": x}

    def put(self, i, v):
        self.keys[i][1:3] = v  # T2J301
        self.lent["x"][i] = v  # T2J301
