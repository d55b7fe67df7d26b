"""Samplers as in torch.utils.data: the order in which a loader visits a dataset, drawn with NumPy."""

import itertools
import typing

import jax
import numpy as np

host_rng = np.random.default_rng(0)  # what torch's global generator is to loaders and transforms


def seed_host_rng(seed):
    """torch.manual_seed, for what loaders, samplers and transforms draw."""
    host_rng.bit_generator.state = np.random.default_rng(seed % 2**64).bit_generator.state


def as_rng(generator):
    """NumPy's generator of random numbers: the one of the whole program for None, one from the next key of a sequence."""
    if generator is None:
        return host_rng
    if isinstance(generator, np.random.Generator):
        return generator
    return np.random.default_rng(int(jax.random.bits(next(generator))))


class Sampler(typing.Protocol):
    """torch.utils.data.Sampler: whatever gives positions one by one."""

    def __iter__(self): ...

    def __class_getitem__(cls, item):
        return cls


class SequentialSampler:
    """torch.utils.data.SequentialSampler: all positions in order."""

    def __init__(self, data_source):
        self.data_source = data_source

    def __len__(self):
        return len(self.data_source)

    def __iter__(self):
        return iter(range(len(self.data_source)))


class RandomSampler:
    """torch.utils.data.RandomSampler: a new random order of the positions at every pass."""

    def __init__(self, data_source, replacement=False, num_samples=None, generator=None):
        self.data_source, self.replacement, self.generator = data_source, replacement, generator
        self.count = num_samples

    @property
    def num_samples(self):
        return len(self.data_source) if self.count is None else self.count

    def __len__(self):
        return self.num_samples

    def __iter__(self):
        rng, total, count = as_rng(self.generator), len(self.data_source), self.num_samples
        if self.replacement:  # one by one: programs ask for more than they ever take
            return (int(rng.integers(total)) for _ in range(count))
        orders = (rng.permutation(total).tolist() for _ in range(-(-count // max(total, 1))))
        return itertools.islice(itertools.chain.from_iterable(orders), count)


class SubsetRandomSampler:
    """torch.utils.data.SubsetRandomSampler: the given positions in a new random order at every pass."""

    def __init__(self, indices, generator=None):
        self.indices, self.generator = indices, generator

    def __len__(self):
        return len(self.indices)

    def __iter__(self):
        return (self.indices[i] for i in as_rng(self.generator).permutation(len(self.indices)).tolist())


class WeightedRandomSampler:
    """torch.utils.data.WeightedRandomSampler: positions drawn with the given unnormalised weights."""

    def __init__(self, weights, num_samples, replacement=True, generator=None):
        self.weights, self.num_samples, self.replacement = np.asarray(weights, float), num_samples, replacement
        self.generator = generator

    def __len__(self):
        return self.num_samples

    def __iter__(self):
        p = self.weights / self.weights.sum()
        return iter(as_rng(self.generator).choice(len(p), self.num_samples, self.replacement, p).tolist())


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


class DistributedSampler:
    """torch.utils.data.DistributedSampler: the share of one of several processes, by default those of JAX."""

    def __init__(self, dataset, num_replicas=None, rank=None, shuffle=True, seed=0, drop_last=False):
        self.dataset, self.shuffle, self.seed, self.drop_last, self.epoch = dataset, shuffle, seed, drop_last, 0
        self.num_replicas = jax.process_count() if num_replicas is None else num_replicas
        self.rank = jax.process_index() if rank is None else rank
        full, rest = divmod(len(dataset), self.num_replicas)
        self.num_samples = full + (rest > 0 and not drop_last)

    def set_epoch(self, epoch):
        self.epoch = epoch

    def __len__(self):
        return self.num_samples

    def __iter__(self):
        total, rng = len(self.dataset), np.random.default_rng((self.seed, self.epoch))
        order = rng.permutation(total) if self.shuffle else np.arange(total)
        return iter(np.resize(order, self.num_samples * self.num_replicas)[self.rank :: self.num_replicas].tolist())
