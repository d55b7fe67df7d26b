"""`torch.Generator`: streams of their own, wherever they are made, kept and handed to."""

from typing import Optional

import jax
import jax.numpy as jnp
import numpy as np
from torch2jax.runtime.data import ArrayDataset, DataLoader, random_split
from torch2jax.runtime.initializers import xavier_uniform
from torch2jax.runtime.keys import KeySequence
from torch2jax.runtime.reductions import absolute, sort
from torch2jax.runtime.sampler_ops import seed_host_rng


def case_repeats():
    g = KeySequence(jax.random.key(0))
    a = jax.random.uniform(next(g), 3)
    h = KeySequence(jax.random.key(0))
    b = jax.random.uniform(next(h), 3)
    c = jax.random.uniform(next(h), 3)
    return bool(jnp.array_equal(a, b)), (b == c).any()


def case_seeded_again():
    g = KeySequence(jax.random.key(1))
    a = jax.random.normal(next(g), 3)
    g.key = jax.random.key(1)
    b = jax.random.normal(next(g), 3)
    return (a == b).all()


def shuffled(g: KeySequence, n: int):
    return jax.random.permutation(next(g), n)


def case_handed_over():
    g = KeySequence(jax.random.key(0))
    first = shuffled(g, 20)
    second = shuffled(g, 20)
    return (first == second).all(), sort(first).values


def case_does_not_touch_others():
    g = KeySequence(jax.random.key(0))
    key = jax.random.key(3)
    seed_host_rng(3)
    key, subkey = jax.random.split(key)
    a = jax.random.uniform(subkey, 2)
    key = jax.random.key(3)
    seed_host_rng(3)
    jax.random.uniform(next(g), 2)
    key, subkey = jax.random.split(key)
    b = jax.random.uniform(subkey, 2)
    return (a == b).all()


def noisy(x: jax.Array, generator: Optional[KeySequence] = None, *, key):
    return x + jax.random.normal(key if generator is None else next(generator), x.shape)


def case_perhaps_none(x: jax.Array, *, key):
    a_key, b_key, noisy_key, noisy_key_1, noisy_key_2 = jax.random.split(key, 5)
    a = noisy(x, KeySequence(jax.random.key(7)), key=a_key)
    b = noisy(x, generator=KeySequence(jax.random.key(7)), key=b_key)
    return bool(jnp.array_equal(a, b)), (a == noisy(x, key=noisy_key)).any(), (noisy(x, key=noisy_key_1) == noisy(x, key=noisy_key_2)).any()


def randn_tensor(shape, generator=None, device=None, dtype=None, *, key):
    if isinstance(generator, list):
        shape = (1,) + shape[1:]
        latents = [jax.random.normal(next(generator[i]), shape, dtype=dtype) for i in range(len(generator))]
        return jnp.concatenate(latents)
    return jax.random.normal(key if generator is None else next(generator), shape, dtype=dtype)


def case_list_of_generators(*, key):
    a_key, randn_tensor_key = jax.random.split(key)
    gs = [KeySequence(jax.random.key(i)) for i in range(2)]
    a = randn_tensor((2, 3), gs, key=a_key)
    hs = [KeySequence(jax.random.key(i)) for i in range(2)]
    return (a == randn_tensor((2, 3), generator=hs, key=randn_tensor_key)).all(), (a[0] == a[1]).any()


class Sampler:
    def __init__(self, seed: int = 0):
        self.generator = KeySequence(jax.random.key(seed))

    def sample(self, n: int):
        return jax.random.randint(next(self.generator), (n,), 0, 1000)

    def __iter__(self):
        for _ in range(3):
            yield jax.random.uniform(next(self.generator), 2)


def case_field():
    s = Sampler(1)
    a, b = s.sample(8), s.sample(8)
    c = Sampler(1).sample(8)
    return (a == b).all(), (a == c).all(), len([x for x in s])


def case_in_place():
    g = KeySequence(jax.random.key(0))
    a = jax.random.uniform(next(g), jnp.empty(4).shape, minval=2, maxval=3)
    b = jax.random.normal(next(g), jnp.empty(4).shape)
    c = jax.random.bernoulli(next(g), 0.5, jnp.zeros(4).shape).astype(jnp.float32)
    return (a >= 2).all(), (a == b).any(), c.shape


def case_given_at_once():
    a = jax.random.uniform(jax.random.key(5), 3)
    b = jax.random.uniform(jax.random.key(5), 3)
    return (a == b).all()


def case_state():
    g = KeySequence(jax.random.key(0))
    jax.random.uniform(next(g), 2)
    state = jax.random.clone(g.key)
    a = jax.random.uniform(next(g), 2)
    g.key = jax.random.clone(state)
    b = jax.random.uniform(next(g), 2)
    return (a == b).all()


def case_initialisation():
    g = KeySequence(jax.random.key(0))
    w = jnp.empty((3, 4))
    w = xavier_uniform(next(g), w.shape)
    v = jnp.empty((3, 4))
    v = 0.02 * jax.random.normal(jax.random.key(1), v.shape)
    return absolute(w).max() < 1, v.shape


def case_split():
    data = ArrayDataset(jnp.arange(10.0))
    a, b = random_split(data, [7, 3], generator=np.random.default_rng(42))
    c, d = random_split(data, [7, 3], generator=np.random.default_rng(42))
    return len(a), len(b), [float(x[0]) for x in a] == [float(x[0]) for x in c]


def case_loader():
    g = KeySequence(jax.random.key(0))
    data = ArrayDataset(jnp.arange(64.0))
    loader = DataLoader(data, batch_size=64, shuffle=True, generator=g)
    (a,) = next(iter(loader))
    (b,) = next(iter(loader))
    return bool((a == b).all()), float(a.sum())


def case_loop(n: int):
    g = KeySequence(jax.random.key(0))
    draws = [jax.random.uniform(next(g), 2) for _ in range(n)]
    while jax.random.uniform(next(g), ()) < 0.5:
        draws.append(jax.random.uniform(next(g), 2))
    return (draws[0] == draws[1]).any()


def case_closure():
    g = KeySequence(jax.random.key(0))

    def draw():
        return jax.random.uniform(next(g), 2)

    f = lambda: jax.random.uniform(next(g), 2)
    return (
        (draw() == draw()).any(),
        (f() == f()).any(),
        list(map(lambda i: jax.random.uniform(next(g), 2), range(2)))[0].shape,
    )


def seeded(seed: Optional[int] = None, *, key):
    g = None
    if seed is not None:
        g = KeySequence(jax.random.key(seed))
    return jax.random.uniform(key if g is None else next(g), 2)


def case_made_perhaps(flag: bool, *, key):
    seeded_key, seeded_key_1, seeded_key_2, seeded_key_3, rand_key = jax.random.split(key, 5)
    g = KeySequence(jax.random.key(3)) if flag else None
    return (seeded(1, key=seeded_key) == seeded(1, key=seeded_key_1)).all(), (seeded(key=seeded_key_2) == seeded(key=seeded_key_3)).any(), jax.random.uniform(rand_key if g is None else next(g), 2).shape


def case_two_names():
    g = KeySequence(jax.random.key(0))
    h = g
    return (jax.random.uniform(next(g), 2) == jax.random.uniform(next(h), 2)).any()


def case_default_generator(*, key):
    # torch2jax: T2J201 `torch.rand` is translated, but not with `generator`
    return torch.rand(2, generator=torch.default_generator)  # T2J201


def case_seeded_by_nobody():
    g = KeySequence(jax.random.key(0))
    # torch2jax: T2J203 the method `seed` of a generator has no translation yet
    g.seed()  # T2J203
    return jax.random.uniform(next(g), 2)
