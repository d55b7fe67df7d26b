"""Samplers visit what torch's visit: the same lengths, the same positions as sets or, drawn with weights, as counts."""

import numpy as np
import pytest
from torch.utils import data

from torch2jax.runtime import sampler_ops as ours


@pytest.mark.parametrize(("replacement", "count"), [(False, None), (True, None), (True, 12), (False, 3), (False, 13)])
def test_random_sampler(replacement: bool, count: int | None) -> None:
    mine, theirs = (m.RandomSampler(range(5), replacement, count) for m in (ours, data))
    assert len(mine) == len(theirs)
    first, second = list(mine), list(mine)
    assert len(first) == len(list(theirs)) and set(first) <= set(range(5))
    assert first != second or count == 3
    if not replacement and len(first) >= 5:
        assert sorted(first[:5]) == list(range(5))


def test_subset_random_sampler() -> None:
    sampler = ours.SubsetRandomSampler([3, 5, 7])
    assert len(sampler) == 3 and sorted(sampler) == [3, 5, 7]


def test_weighted_random_sampler() -> None:
    sampler = ours.WeightedRandomSampler([1.0, 0.0, 3.0], 4000)
    counts = np.bincount(list(sampler), minlength=3) / 4000
    np.testing.assert_allclose(counts, [0.25, 0, 0.75], atol=0.05)
    assert sorted(ours.WeightedRandomSampler([1, 2, 3], 3, replacement=False)) == [0, 1, 2]


@pytest.mark.parametrize("drop_last", [True, False])
@pytest.mark.parametrize("count", [0, 3, 4, 5])
def test_batch_sampler(drop_last: bool, count: int) -> None:
    mine, theirs = (m.BatchSampler(range(count), 2, drop_last) for m in (ours, data))
    assert list(mine) == list(theirs) and len(mine) == len(theirs)
