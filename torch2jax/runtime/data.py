"""Datasets and loaders as in torch.utils.data: a batch is stacked by NumPy on the host, and is an array of JAX.

Workers are no processes: a loader reads its dataset where it is asked for the next batch. What a program sees of workers
(`get_worker_info`, `worker_init_fn`, that each of them runs through an iterable dataset of its own) is kept.
"""

import bisect
import collections.abc
import copy
import itertools
import random
import typing

import jax
import numpy as np

from torch2jax.runtime.sampler_ops import BatchSampler, RandomSampler, SequentialSampler, as_rng


@typing.runtime_checkable
class Dataset(typing.Protocol):
    """torch.utils.data.Dataset: whatever gives a sample for an index."""

    def __getitem__(self, index): ...


@typing.runtime_checkable
class IterableDataset(typing.Protocol):
    """torch.utils.data.IterableDataset: whatever can be iterated over."""

    def __iter__(self): ...


class ArrayDataset:
    """torch.utils.data.TensorDataset: tuples of rows taken from equally long arrays."""

    def __init__(self, *tensors):
        self.tensors = tuple(np.asarray(array) for array in tensors)
        if any(len(array) != len(self.tensors[0]) for array in self.tensors):
            raise ValueError("the arrays have different lengths")

    def __len__(self):
        return len(self.tensors[0])

    def __getitem__(self, index):
        return tuple(array[index] for array in self.tensors)


class Subset:
    """torch.utils.data.Subset: the given indices of a dataset."""

    def __init__(self, dataset, indices):
        self.dataset, self.indices = dataset, indices

    def __len__(self):
        return len(self.indices)

    def __getitem__(self, index):
        if isinstance(index, list):
            return self.dataset[[self.indices[i] for i in index]]
        return self.dataset[self.indices[index]]


class ConcatDataset:
    """torch.utils.data.ConcatDataset: several datasets one after another."""

    def __init__(self, datasets):
        self.datasets = list(datasets)
        self.cumulative_sizes = list(itertools.accumulate(len(dataset) for dataset in self.datasets))

    def __len__(self):
        return self.cumulative_sizes[-1]

    def __getitem__(self, index):
        index = range(len(self))[index]
        number = bisect.bisect_right(self.cumulative_sizes, index)
        return self.datasets[number][index - self.cumulative_sizes[number] + len(self.datasets[number])]


class ChainDataset:
    """torch.utils.data.ChainDataset: several iterable datasets one after another."""

    def __init__(self, datasets):
        self.datasets = datasets

    def __iter__(self):
        return itertools.chain.from_iterable(self.datasets)

    def __len__(self):
        return sum(len(dataset) for dataset in self.datasets)


def random_split(dataset, lengths, generator=None):
    """torch.utils.data.random_split: disjoint random subsets, of the given lengths or fractions."""
    total = len(dataset)
    if sum(lengths) <= 1 + 1e-9 and total > 1:
        counts = [int(total * fraction) for fraction in lengths]
        for i in range(total - sum(counts)):
            counts[i % len(counts)] += 1
        lengths = counts
    if sum(lengths) != total:
        raise ValueError(f"the lengths add up to {sum(lengths)}, the dataset has {total}")
    order = as_rng(generator).permutation(total)
    return [Subset(dataset, part.tolist()) for part in np.split(order, np.cumsum(lengths)[:-1])]


def default_collate(batch):
    """torch.utils.data.default_collate: stack arrays and numbers, keep strings in a list, go into dicts and tuples."""
    first = batch[0]
    if isinstance(first, (np.ndarray, np.generic, jax.Array, int, float)):
        return jax.numpy.asarray(np.stack([np.asarray(sample) for sample in batch]))
    if isinstance(first, (str, bytes)):
        return list(batch)
    if isinstance(first, collections.abc.Mapping):
        return {key: default_collate([sample[key] for sample in batch]) for key in first}
    if hasattr(first, "_fields"):
        return type(first)(*map(default_collate, zip(*batch)))
    if isinstance(first, collections.abc.Sequence):
        return [default_collate(members) for members in zip(*batch, strict=True)]
    raise TypeError(f"batches hold arrays, numbers, strings, dicts and lists, not {type(first)}")


def default_convert(data):
    """torch.utils.data.default_convert: arrays of NumPy become those of JAX, also in dicts and sequences."""
    if isinstance(data, (np.ndarray, np.generic)):
        return data if data.dtype.kind in "SUO" else jax.numpy.asarray(data)
    if isinstance(data, collections.abc.Mapping):
        return type(data)({key: default_convert(value) for key, value in data.items()})
    if hasattr(data, "_fields"):
        return type(data)(*map(default_convert, data))
    if isinstance(data, collections.abc.Sequence) and not isinstance(data, (str, bytes)):
        return [default_convert(member) for member in data]
    return data


class WorkerInfo:
    """torch.utils.data.get_worker_info: which worker reads, of how many, and its copy of the dataset."""

    current = None  # the one that reads now

    def __init__(self, id, num_workers, seed, dataset):
        self.id, self.num_workers, self.seed, self.dataset = id, num_workers, seed, dataset
        self.states = random.Random(seed).getstate(), np.random.RandomState(seed % 2**32).get_state()

    def run(self, function, *args):
        """Call a function as this worker does, with random numbers of its own."""
        before, WorkerInfo.current = WorkerInfo.current, self
        states = self.exchanged(self.states)
        try:
            return function(*args)
        finally:
            WorkerInfo.current, self.states = before, self.exchanged(states)

    def exchanged(self, states):
        """Give the generators of Python and NumPy other states, and hand back those that they had."""
        had = random.getstate(), np.random.get_state()
        random.setstate(states[0])
        np.random.set_state(states[1])
        return had


def get_worker_info():
    """torch.utils.data.get_worker_info: None where no worker reads."""
    return WorkerInfo.current


class DataLoader:
    """torch.utils.data.DataLoader: batches of a dataset, in a new order at every pass where `shuffle` is set.

    The settings of worker processes and of pinned memory (`settings`) say nothing here."""

    def __init__(
        self, dataset, batch_size=1, shuffle=False, sampler=None, batch_sampler=None, num_workers=0, collate_fn=None,
        pin_memory=False, drop_last=False, timeout=0, worker_init_fn=None, multiprocessing_context=None,
        generator=None, **settings,
    ):  # fmt: skip
        self.dataset, self.batch_size, self.shuffle, self.sampler = dataset, batch_size, shuffle, sampler
        collates = batch_size is not None or batch_sampler is not None
        self.collate_fn = collate_fn or (default_collate if collates else lambda sample: sample)
        self.drop_last, self.generator = drop_last, generator
        self.batch_sampler, self.num_workers, self.worker_init_fn = batch_sampler, num_workers, worker_init_fn

    def __len__(self):
        if self.batch_sampler is not None:
            return len(self.batch_sampler)
        count, size = len(self.dataset if self.sampler is None else self.sampler), self.batch_size or 1
        return count // size if self.drop_last else -(-count // size)

    def positions(self):
        """The order of one pass."""
        if self.sampler is not None:
            return self.sampler
        count = len(self.dataset)
        return as_rng(self.generator).permutation(count).tolist() if self.shuffle else range(count)

    def batches(self):
        """The positions of each batch of one pass."""
        positions = iter(self.positions())
        batches = iter(lambda: list(itertools.islice(positions, self.batch_size)), [])
        return (batch for batch in batches if len(batch) == self.batch_size or not self.drop_last)

    def __iter__(self):
        if self.batch_size is None and self.batch_sampler is None:
            return (self.collate_fn(self.dataset[position]) for position in self.positions())
        batches = self.batches() if self.batch_sampler is None else self.batch_sampler
        return (self.collate_fn([self.dataset[position] for position in batch]) for batch in batches)


class WorkerDataLoader(DataLoader):
    """torch.utils.data.DataLoader with all that it knows: its samplers as attributes, iterable datasets, and workers, each
    of which runs through an iterable dataset of its own."""

    def __init__(self, dataset, *args, **kwargs):
        super().__init__(dataset, *args, **kwargs)
        self.is_stream = not hasattr(dataset, "__getitem__")
        if self.shuffle and (self.sampler is not None or self.is_stream):
            raise ValueError("a loader with a sampler, or of an iterable dataset, cannot shuffle")
        if self.sampler is None and not self.is_stream:
            ordered = SequentialSampler(dataset)
            self.sampler = RandomSampler(dataset, generator=self.generator) if self.shuffle else ordered
        if self.batch_sampler is None and self.batch_size is not None and not self.is_stream:
            self.batch_sampler = BatchSampler(self.sampler, self.batch_size, self.drop_last)
        self.indices = self.sampler if self.batch_sampler is None else self.batch_sampler

    def __len__(self):
        if self.indices is not None:
            return len(self.indices)
        return super().__len__()

    def __iter__(self):
        if self.num_workers:
            return self.batches_of_workers()
        return self.stream(self.dataset) if self.is_stream else map(self.fetch, self.indices)

    def fetch(self, indices):
        """The batch of some indices, or the sample of one where the loader does not batch."""
        if self.batch_sampler is None:
            return self.collate_fn(self.dataset[indices])
        if hasattr(self.dataset, "__getitems__"):
            return self.collate_fn(self.dataset.__getitems__(indices))
        return self.collate_fn([self.dataset[index] for index in indices])

    def stream(self, dataset):
        """The batches of an iterable dataset."""
        samples = iter(dataset)
        if self.batch_size is None:
            yield from map(self.collate_fn, samples)
            return
        while batch := list(itertools.islice(samples, self.batch_size)):
            if len(batch) == self.batch_size or not self.drop_last:
                yield self.collate_fn(batch)

    def batches_of_workers(self):
        """Workers take turns."""
        seed, ids = int(as_rng(self.generator).integers(2**31)), range(self.num_workers)
        copies = [copy.copy(self.dataset) if self.is_stream else self.dataset for _ in ids]
        workers = [WorkerInfo(i, self.num_workers, seed + i, dataset) for i, dataset in zip(ids, copies)]
        if self.worker_init_fn is not None:
            for worker in workers:
                worker.run(self.worker_init_fn, worker.id)
        if not self.is_stream:
            for indices, worker in zip(self.indices, itertools.cycle(workers)):
                yield worker.run(self.fetch, indices)
            return
        streams = [(worker, worker.run(self.stream, worker.dataset)) for worker in workers]
        while streams:
            for worker, stream in tuple(streams):
                try:
                    yield worker.run(next, stream)
                except StopIteration:
                    streams.remove((worker, stream))
