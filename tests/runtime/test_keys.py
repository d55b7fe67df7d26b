"""Sequences of keys: no key twice, the same again from the same start, and none without one."""

import copy
from concurrent.futures import ThreadPoolExecutor

import jax
from flax import nnx

from torch2jax.runtime.keys import KeySequence, keyed


def _numbers(keys: KeySequence, count: int) -> list[float]:
    return [float(jax.random.uniform(next(keys))) for _ in range(count)]


def test_gives_another_key_each_time() -> None:
    with jax.debug_key_reuse(True):
        assert len(set(_numbers(KeySequence(jax.random.key(0)), 20))) == 20


def test_starts_again_from_the_same_key() -> None:
    keys = KeySequence(jax.random.key(0))
    first = _numbers(keys, 3)
    keys.key = jax.random.key(0)
    assert _numbers(keys, 3) == first


def test_goes_on_from_a_key_that_was_kept() -> None:
    with jax.debug_key_reuse(True):
        keys = KeySequence(jax.random.key(0))
        next(keys)
        kept = jax.random.clone(keys.key)
        first = _numbers(keys, 3)
        keys.key = jax.random.clone(kept)
        assert _numbers(keys, 3) == first


def test_is_empty_handed_without_a_key() -> None:
    assert [next(KeySequence(None)) for _ in range(2)] == [None, None]


def test_can_be_copied() -> None:
    keys = KeySequence(jax.random.key(0))
    assert _numbers(copy.deepcopy(keys), 3) == _numbers(keys, 3)


def test_several_threads_get_keys_of_their_own() -> None:
    keys = KeySequence(jax.random.key(0))
    with ThreadPoolExecutor(8) as pool:
        drawn = list(pool.map(lambda _: tuple(jax.random.key_data(next(keys)).tolist()), range(64)))
    assert len(set(drawn)) == 64


def test_only_what_takes_a_key_is_given_one() -> None:
    drawing = keyed(lambda x, *, key: (x, key), key=3)
    plain = keyed(lambda x, scale=2: x * scale, key=3)
    builtin = keyed({"a": 1}.update, key=3)
    assert (drawing(1), plain(1, scale=5), builtin(b=2)) == ((1, 3), 5, None)


def test_classes_whose_metaclass_makes_their_objects() -> None:
    class Drawing(nnx.Module):
        def __init__(self, size: int, *, rngs: nnx.Rngs) -> None:
            self.fc = nnx.Linear(size, size, rngs=rngs)

    class Plain(nnx.Module):
        def __init__(self, size: int) -> None:
            self.size = size

    assert keyed(Drawing, rngs=nnx.Rngs(0))(size=2).fc.in_features == 2
    assert keyed(Plain, rngs=nnx.Rngs(0))(size=3).size == 3
