"""Loaders give torch's batches."""

import collections

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import torch

from torch2jax.runtime import data as d


class Samples:
    """A map-style dataset with Python numbers, strings and dicts."""

    def __len__(self):
        return 10

    def __getitem__(self, index):
        return {"x": np.full(3, index, np.float32), "label": index, "weight": index / 2, "name": f"n{index}"}


def same(ours, theirs):
    if isinstance(theirs, torch.Tensor):
        wanted = jax.dtypes.canonicalize_dtype(str(theirs.dtype).removeprefix("torch."))
        assert isinstance(ours, jax.Array) and ours.dtype == wanted
        np.testing.assert_array_equal(ours, theirs)
    elif isinstance(theirs, dict):
        assert list(ours) == list(theirs)
        for name in theirs:
            same(ours[name], theirs[name])
    elif isinstance(theirs, (list, tuple)):
        assert len(ours) == len(theirs)
        for pair in zip(ours, theirs):
            same(*pair)
    else:
        assert ours == theirs


@pytest.mark.parametrize("drop_last", [True, False])
def test_batches_in_order(drop_last):
    ours = d.DataLoader(Samples(), batch_size=4, drop_last=drop_last)
    theirs = torch.utils.data.DataLoader(Samples(), batch_size=4, drop_last=drop_last)
    assert len(ours) == len(theirs) and len(list(ours)) == len(theirs)
    same(list(ours), list(theirs))


def test_arrays():
    x, y = np.arange(20, dtype=np.float32).reshape(10, 2), np.arange(10)
    ours = d.DataLoader(d.ArrayDataset(jnp.asarray(x), y), batch_size=4)
    theirs = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(torch.tensor(x), torch.tensor(y)), batch_size=4)
    same(list(ours), list(theirs))


def test_shuffle_is_a_new_permutation_at_every_pass():
    loader = d.DataLoader(d.ArrayDataset(np.arange(100)), batch_size=7, shuffle=True)
    first, second = (np.concatenate([batch for (batch,) in loader]) for _ in range(2))
    assert sorted(first) == sorted(second) == list(range(100)) and not np.array_equal(first, second)


def test_collate_fn_and_sampler():
    ours = d.DataLoader(Samples(), 3, sampler=[5, 1, 2, 7], collate_fn=lambda batch: [s["label"] for s in batch])
    assert list(ours) == [[5, 1, 2], [7]] and len(ours) == 2


@pytest.mark.parametrize("lengths", [[7, 3], [0.8, 0.2], [0.5, 0.25, 0.25]])
def test_random_split(lengths):
    ours = d.random_split(Samples(), lengths)
    assert [len(part) for part in ours] == [len(part) for part in torch.utils.data.random_split(Samples(), lengths)]
    assert sorted(part[i]["label"] for part in ours for i in range(len(part))) == list(range(10))
    with pytest.raises(ValueError, match="add up"):
        d.random_split(Samples(), [3, 3])


def test_concatenated():
    both = d.ConcatDataset([d.ArrayDataset(np.arange(3)), d.ArrayDataset(np.arange(10, 12))])
    assert [both[i][0] for i in range(len(both))] == [0, 1, 2, 10, 11] and both[-1][0] == 11
    with pytest.raises(IndexError):
        both[5]


def test_collates_as_torch():
    Point = collections.namedtuple("Point", "x y")
    for samples in ([(1, [2.0, np.ones(2)])] * 3, [Point(1, 2.5)] * 2, [np.float32(1)] * 2, ["a", "b"], [True, False]):
        same(d.default_collate(samples), torch.utils.data.default_collate(samples))
