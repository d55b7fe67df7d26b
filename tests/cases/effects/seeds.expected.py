"""Seeds: where randomness starts, starts again, is kept and put back."""

import random

import equinox as eqx
import jax
import numpy as np
from torch2jax.runtime.keys import KeySequence


def case_again():
    key = jax.random.key(0)
    key, subkey = jax.random.split(key)
    a = jax.random.uniform(subkey, 2)
    key = jax.random.key(0)
    key, subkey = jax.random.split(key)
    b = jax.random.uniform(subkey, 2)
    key, subkey = jax.random.split(key)
    c = jax.random.uniform(subkey, 2)
    return (a == b).all(), (b == c).any()


def case_other_seed():
    key = jax.random.key(0)
    key, subkey = jax.random.split(key)
    a = jax.random.uniform(subkey, 2)
    key = jax.random.key(1)
    key, subkey = jax.random.split(key)
    b = jax.random.uniform(subkey, 2)
    return (a == b).any()


def set_seed(seed: int):
    random.seed(seed)
    np.random.seed(seed)
    key = jax.random.key(seed)
    return key


def case_function_that_seeds():
    key = set_seed(0)
    key, subkey = jax.random.split(key)
    a = jax.random.uniform(subkey, 2)
    key = set_seed(0)
    key, subkey = jax.random.split(key)
    b = jax.random.uniform(subkey, 2)
    return (a == b).all(), random.random() < 1


def perhaps_seed(seed=None, *, key):
    if seed is not None:
        key = jax.random.key(seed)
    return key


def case_perhaps(*, key):
    key = perhaps_seed(3, key=key)
    key, subkey = jax.random.split(key)
    a = jax.random.uniform(subkey, 2)
    key = perhaps_seed(key=key)
    key, subkey = jax.random.split(key)
    b = jax.random.uniform(subkey, 2)
    key = perhaps_seed(3, key=key)
    key, subkey = jax.random.split(key)
    c = jax.random.uniform(subkey, 2)
    return (a == b).any(), (a == c).all()


def draw(seed=None, *, key):
    if seed is not None:
        key = jax.random.key(seed)
    key, subkey = jax.random.split(key)
    return jax.random.uniform(subkey, 2), key


def case_perhaps_before_draws(*, key):
    out, key = draw(1, key=key)
    out_1, key = draw(1, key=key)
    out_2, key = draw(key=key)
    out_3, key = draw(key=key)
    return (out == out_1).all(), (out_2 == out_3).any()


def case_drawn_before(*, key):
    key, subkey = jax.random.split(key)
    a = jax.random.uniform(subkey, 2)
    key = jax.random.key(0)
    key, subkey = jax.random.split(key)
    b = jax.random.uniform(subkey, 2)
    return a.shape, (a == b).shape


def case_every_round(n: int):
    draws = []
    for _ in range(n):
        key = jax.random.key(7)
        key, subkey = jax.random.split(key)
        draws.append(jax.random.uniform(subkey, 2))
    return (draws[0] == draws[1]).all()


def case_once_before_loop(n: int):
    keys = KeySequence(jax.random.key(7))
    draws = [jax.random.uniform(next(keys), 2) for _ in range(n)]
    while jax.random.uniform(next(keys), ()) < 0.5:
        draws.append(jax.random.uniform(next(keys), 2))
    return (draws[0] == draws[1]).any()


def seeded_noise(x: jax.Array, seed: int):
    key = jax.random.key(seed)
    key, subkey = jax.random.split(key)
    return x + jax.random.normal(subkey, x.shape, x.dtype), key


def case_seeded_function(x: jax.Array):
    out, key = seeded_noise(x, 1)
    out_1, key = seeded_noise(x, 1)
    out_2, key = seeded_noise(x, 1)
    out_3, key = seeded_noise(x, 2)
    return (out == out_1).all(), (out_2 == out_3).any()


def case_draws_after_a_function_that_seeds_and_draws(x: jax.Array):
    _, key = seeded_noise(x, 1)
    key, subkey = jax.random.split(key)
    a = jax.random.uniform(subkey, 2)
    _, key = seeded_noise(x, 1)
    key, subkey = jax.random.split(key)
    b = jax.random.uniform(subkey, 2)
    return (a == b).all()


class Environment:
    def __init__(self, seed: int):
        self.seed = seed
        # torch2jax: T2J401 the random generator is seeded again in `__init__`
        key = self.reset()  # T2J401

    def reset(self):
        key = jax.random.key(self.seed)
        return key

    def step(self, *, key):
        return jax.random.uniform(key, 2)


def case_object_that_seeds(*, key):
    draw_key, draw_key_1 = jax.random.split(key)
    return (Environment(0).step(key=draw_key) == Environment(0).step(key=draw_key_1)).all()


def number_and_seed(n: int):
    key = jax.random.key(n)
    return n + 1, key


def case_result_and_seed():
    n, key = number_and_seed(2)
    key, subkey = jax.random.split(key)
    a = jax.random.uniform(subkey, 2)
    _, key = number_and_seed(2)
    key, subkey = jax.random.split(key)
    return n, (a == jax.random.uniform(subkey, 2)).all()


def case_state(*, key):
    state = jax.random.clone(key)
    key, subkey = jax.random.split(key)
    a = jax.random.uniform(subkey, 2)
    key = jax.random.clone(state)
    key, subkey = jax.random.split(key)
    b = jax.random.uniform(subkey, 2)
    key, subkey = jax.random.split(key)
    c = jax.random.uniform(subkey, 2)
    return (a == b).all(), (b == c).any()


def case_state_of_module_random(*, key):
    state = jax.random.clone(key)
    key, subkey = jax.random.split(key)
    a = jax.random.normal(subkey, 2)
    key = jax.random.clone(state)
    key, subkey = jax.random.split(key)
    return (a == jax.random.normal(subkey, 2)).all()


def case_forked():
    key = jax.random.key(0)
    key, subkey = jax.random.split(key)
    a = jax.random.uniform(subkey, 2)
    key = jax.random.key(0)
    outer_key = jax.random.clone(key)
    key = jax.random.key(5)
    key, subkey = jax.random.split(key)
    inner = jax.random.uniform(subkey, 2)
    key = outer_key
    key, subkey = jax.random.split(key)
    b = jax.random.uniform(subkey, 2)
    return (a == b).all(), (inner == b).any()


def case_forked_without_seed(*, key):
    outer_key_1 = jax.random.clone(key)
    key, subkey = jax.random.split(key)
    a = jax.random.uniform(subkey, 2)
    key = outer_key_1
    key, subkey = jax.random.split(key)
    b = jax.random.uniform(subkey, 2)
    return (a == b).all()


def case_seed_of_a_branch(flag: bool, *, key):
    if flag:
        key = jax.random.key(0)
    else:
        key = jax.random.key(1)
    key, subkey = jax.random.split(key)
    a = jax.random.uniform(subkey, 2)
    key = jax.random.key(0)
    key, subkey = jax.random.split(key)
    return (a == jax.random.uniform(subkey, 2)).all()


# unchanged
def case_seeds_of_others():
    random.seed(0)
    np.random.seed(0)
    return random.random(), np.random.rand()


# unchanged
def case_generators_of_numpy():
    rng = np.random.default_rng(0)
    return float(rng.normal()) == float(np.random.default_rng(0).normal())


class Seeded(eqx.Module):
    fc: eqx.nn.Linear

    def __init__(self, n: int, seed: int):
        key = jax.random.key(seed)
        key, subkey = jax.random.split(key)
        self.fc = eqx.nn.Linear(n, 2, key=subkey)


def case_constructors_with_a_seed_of_their_own(*, key):
    a, b, c = Seeded(3, 1), Seeded(3, 1), Seeded(3, 2)
    drawn = jax.random.uniform(key, 2)
    return (a.fc.weight == b.fc.weight).all(), (a.fc.weight == c.fc.weight).any(), drawn.shape
