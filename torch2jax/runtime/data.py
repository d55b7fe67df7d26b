"""Datasets and loaders as in torch.utils.data, on Grain and NumPy."""

import collections.abc

import grain
import numpy as np


class ArrayDataset:
    """torch.utils.data.TensorDataset: tuples of rows taken from equally long arrays."""

    def __init__(self, *arrays):
        self.arrays = [np.asarray(a) for a in arrays]

    def __len__(self):
        return len(self.arrays[0])

    def __getitem__(self, index):
        return tuple(a[index] for a in self.arrays)


class Subset:
    """torch.utils.data.Subset: the given indices of a dataset."""

    def __init__(self, dataset, indices):
        self.dataset, self.indices = dataset, indices

    def __len__(self):
        return len(self.indices)

    def __getitem__(self, index):
        return self.dataset[int(self.indices[index])]


class ConcatDataset:
    """torch.utils.data.ConcatDataset: several datasets one after another."""

    def __init__(self, datasets):
        self.datasets = list(datasets)

    def __len__(self):
        return sum(len(dataset) for dataset in self.datasets)

    def __getitem__(self, index):
        index = range(len(self))[index]
        ends = np.cumsum([len(dataset) for dataset in self.datasets])
        number = int(np.searchsorted(ends, index, side="right"))
        return self.datasets[number][index - int(ends[number]) + len(self.datasets[number])]


def random_split(dataset, lengths, seed=0):
    """torch.utils.data.random_split: disjoint random subsets, of the given lengths or fractions."""
    total = len(dataset)
    if sum(lengths) <= 1 + 1e-9 and total > 1:
        counts = [int(total * fraction) for fraction in lengths]
        for i in range(total - sum(counts)):
            counts[i % len(counts)] += 1
        lengths = counts
    if sum(lengths) != total:
        raise ValueError(f"the lengths add up to {sum(lengths)}, the dataset has {total}")
    order = np.random.default_rng(seed).permutation(total)
    return [Subset(dataset, part) for part in np.split(order, np.cumsum(lengths)[:-1])]


def default_collate(samples):
    """torch.utils.data.default_collate: stack arrays and numbers, keep strings in a list, go into dicts and tuples."""
    first = samples[0]
    if isinstance(first, (str, bytes)):
        return list(samples)
    if isinstance(first, collections.abc.Mapping):
        return {key: default_collate([sample[key] for sample in samples]) for key in first}
    if hasattr(first, "_fields"):
        return type(first)(*map(default_collate, zip(*samples)))
    if isinstance(first, (tuple, list)):
        return [default_collate(members) for members in zip(*samples)]
    return np.stack([np.asarray(sample) for sample in samples])


class DataLoader:
    """torch.utils.data.DataLoader: batches of a dataset, in a new order at every pass where `shuffle` is set."""

    def __init__(self, dataset, batch_size=1, shuffle=False, sampler=None, collate_fn=None, drop_last=False, seed=0):
        self.dataset, self.batch_size, self.shuffle, self.sampler = dataset, batch_size, shuffle, sampler
        self.collate_fn = default_collate if collate_fn is None else collate_fn
        self.drop_last, self.seed = drop_last, seed

    def __len__(self):
        full, rest = divmod(len(self.dataset if self.sampler is None else self.sampler), self.batch_size)
        return full + (rest > 0 and not self.drop_last)

    def __iter__(self):
        dataset = self.dataset if self.sampler is None else Subset(self.dataset, list(self.sampler))
        data = grain.MapDataset.source(dataset)
        if self.shuffle:
            data = data.shuffle(seed=self.seed)
            self.seed += 1
        return iter(data.batch(self.batch_size, drop_remainder=self.drop_last, batch_fn=self.collate_fn))
