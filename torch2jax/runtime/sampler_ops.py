"""Samplers as in torch.utils.data: the order in which a loader visits a dataset, drawn with NumPy."""

import numpy as np


class RandomSampler:
    """torch.utils.data.RandomSampler: a new random order of the positions at every pass."""

    def __init__(self, data_source, replacement=False, num_samples=None, seed=0):
        self.data_source, self.replacement, self.num_samples = data_source, replacement, num_samples
        self.rng = np.random.default_rng(seed)

    def __len__(self):
        return len(self.data_source) if self.num_samples is None else self.num_samples

    def __iter__(self):
        total, count = len(self.data_source), len(self)
        if self.replacement:
            return iter(self.rng.integers(0, total, count).tolist())
        orders = [self.rng.permutation(total) for _ in range(-(-count // max(total, 1)))]
        return iter(np.concatenate(orders or [np.zeros(0, int)])[:count].tolist())


class SubsetRandomSampler:
    """torch.utils.data.SubsetRandomSampler: the given positions in a new random order at every pass."""

    def __init__(self, indices, seed=0):
        self.indices, self.rng = indices, np.random.default_rng(seed)

    def __len__(self):
        return len(self.indices)

    def __iter__(self):
        return (self.indices[i] for i in self.rng.permutation(len(self.indices)).tolist())


class WeightedRandomSampler:
    """torch.utils.data.WeightedRandomSampler: positions drawn with the given unnormalised weights."""

    def __init__(self, weights, num_samples, replacement=True, seed=0):
        self.weights, self.num_samples, self.replacement = np.asarray(weights, float), num_samples, replacement
        self.rng = np.random.default_rng(seed)

    def __len__(self):
        return self.num_samples

    def __iter__(self):
        p = self.weights / self.weights.sum()
        return iter(self.rng.choice(len(p), self.num_samples, self.replacement, p).tolist())


class BatchSampler:
    """torch.utils.data.BatchSampler: lists of positions."""

    def __init__(self, sampler, batch_size, drop_last):
        self.sampler, self.batch_size, self.drop_last = sampler, batch_size, drop_last

    def __len__(self):
        full, rest = divmod(len(self.sampler), self.batch_size)
        return full + (rest > 0 and not self.drop_last)

    def __iter__(self):
        batch = []
        for position in self.sampler:
            batch.append(position)
            if len(batch) == self.batch_size:
                yield batch
                batch = []
        if batch and not self.drop_last:
            yield batch
