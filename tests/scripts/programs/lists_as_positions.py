# also: nnx, linen
# Lists of positions from everywhere take rows of tensors: of NumPy, generators, subsets, folds, and under one name with other things.
import random
import itertools
from collections import defaultdict, deque
import numpy as np
import torch
from torch.utils.data import Subset, TensorDataset, random_split

x = torch.arange(24.0).reshape(12, 2)
random.seed(0)
a = random.sample(range(12), 3)
print(x[a].shape[0], x[sorted(a)].shape[0])
b = np.where(np.arange(12) % 3 == 0)[0].tolist()
print(x[b].sum().item())
groups = defaultdict(list)
for i in range(12):
    groups[i % 4].append(i)
for k, v in groups.items():
    print(k, x[v].sum().item())
sub = Subset(TensorDataset(x), [1, 2, 5])
print(x[sub.indices].sum().item())
d = deque([1, 2, 3])
print(x[list(d)].sum().item())
for chunk in [list(range(12))[i:i + 5] for i in range(0, 12, 5)]:
    print(x[chunk].sum().item())


def chunks(items, n):
    for i in range(0, len(items), n):
        yield items[i:i + n]


for chunk in chunks(list(range(12)), 5):
    print(x[chunk].sum().item())


class Split:
    def __init__(self, n):
        self.order = list(range(n))
        self.train, self.test = self.order[:8], self.order[8:]

    def folds(self, k):
        for i in range(k):
            yield [j for j in self.order if j % k != i], [j for j in self.order if j % k == i]


s = Split(12)
print(x[s.train].sum().item(), x[s.test].sum().item())
for tr, te in s.folds(3):
    print(x[tr].sum().item(), x[te].sum().item())
batches = list(itertools.islice(chunks(s.order, 4), 2))
print(x[batches[0]].sum().item(), x[[*batches[1], 0]].sum().item())
mapping = {"a": [0, 1], "b": [2, 3]}
print(sum(x[mapping[k]].sum().item() for k in mapping))
idx = list(zip(*[(0, 1), (2, 0), (3, 1)]))
print(x[idx[0], idx[1]].sum().item())
keep = [i for i, v in enumerate(x[:, 0].tolist()) if v > 6]
print(x[keep].sum().item())
order = sorted(range(12), key=lambda i: -x[i, 1].item())
print(x[order][0, 0].item())
mask = [True, False] * 6
print(x[mask].sum().item())
m = torch.tensor(mask).nonzero().squeeze(1).tolist()
print(x[m].sum().item())


def pick(t, where):
    return t[where]


print(pick(x, [0, 3]).sum().item(), pick(x, 2).sum().item(), pick(x, slice(0, 2)).sum().item())
