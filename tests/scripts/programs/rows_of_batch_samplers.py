# also: nnx, linen
# The positions that samplers give, one by one or in lists, take rows of tensors.
import torch
from torch.utils.data.sampler import BatchSampler, RandomSampler, SequentialSampler, SubsetRandomSampler

x = torch.arange(12.0).reshape(6, 2)
for indices in BatchSampler(SequentialSampler(range(6)), 4, drop_last=False):
    print(x[indices].sum().item(), x.view(-1, 2)[indices].shape)
sampler = BatchSampler(SubsetRandomSampler(range(6)), 3, True)
print(len(sampler), sum(x[rows].sum().item() for rows in sampler))
for index in SequentialSampler(range(6)):
    print(x[index].sum().item())
print(sum(x[index].sum().item() for index in RandomSampler(x)))


class Storage:
    def __init__(self, n):
        self.obs = torch.arange(float(n * 4)).reshape(n, 2, 2)
        self.returns = torch.ones(n, 2, 1)

    def generator(self, parts):
        size = self.obs.size(0) * self.obs.size(1)
        for rows in BatchSampler(SequentialSampler(range(size)), size // parts, drop_last=True):
            yield self.obs.view(-1, *self.obs.size()[2:])[rows], self.returns.view(-1, 1)[rows]


for obs, returns in Storage(3).generator(2):
    print(obs.sum().item(), returns.shape)
