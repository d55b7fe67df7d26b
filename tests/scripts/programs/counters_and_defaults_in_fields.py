# also: nnx, linen
"""Counters, and dicts that make what they lack, which objects keep and fill."""

from collections import Counter, defaultdict

import torch


class Accuracies:
    def __init__(self):
        self.hits = defaultdict(int)
        self.sums = defaultdict(float)
        self.count = Counter()
        self.per = defaultdict(lambda: 0.0)
        self.rows = defaultdict(list)

    def update(self, pred, target, ks):
        _, found = pred.topk(max(ks), 1)
        correct = found.t().eq(target.view(1, -1).expand_as(found.t()))
        for k in ks:
            self.hits[k] += correct[:k].reshape(-1).float().sum(0, keepdim=True).item()
            self.sums[k] += 1.5
            self.count[k] += target.size(0)
            self.per[k] += pred[:, 0].mean().item()
            self.rows[k].append(pred[0])


found = Accuracies()
for step in range(3):
    pred = torch.sin(torch.arange(12.0) * (step + 1)).view(4, 3)
    found.update(pred, torch.arange(4) % 3, (1, 2))
print(dict(found.hits), dict(found.sums), sorted(found.count.items()), round(found.per[2], 4))
print(torch.stack(found.rows[1]).sum().item(), found.rows[2][0].size(0), found.count.most_common(1))
seen = Counter()
for name, value in zip("aab", torch.tensor([0, 1, 1])):
    seen[name] += value.item()
for x in (torch.ones(2, 3), torch.ones(2, 1)):
    seen[x.size(0)] += 1
print(sorted(seen.items(), key=str))
