# also: nnx, linen
# Lists of positions from files and objects of the program.
import pickle
import json
import torch

x = torch.arange(24.0).reshape(12, 2)
text = json.loads("[0, 2, 4]")
print(x[text].sum().item())


class Memory:
    def __init__(self):
        self.rows = {}

    def add(self, k, v):
        self.rows.setdefault(k, []).append(v)

    def __getitem__(self, k):
        return self.rows[k]


m = Memory()
for i in range(12):
    m.add(i % 3, i)
print(x[m[1]].sum().item())


class MySampler(torch.utils.data.Sampler):
    def __init__(self, n, size):
        self.n, self.size = n, size

    def __iter__(self):
        order = list(range(self.n))
        for i in range(0, self.n, self.size):
            yield order[i:i + self.size]

    def __len__(self):
        return self.n // self.size


for batch in MySampler(12, 5):
    print(x[batch].sum().item())
