"""What draws nothing takes no key."""

import random

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from torch2jax.runtime.attention import scaled_dot_product_attention
from torch2jax.runtime.distributions import Normal


def softened(x: jax.Array):
    return jax.nn.softmax(x, axis=-1)


def case_no_key(x: jax.Array):
    return softened(x)


# unchanged
def case_random_of_python():
    rng = random.Random(0)
    return rng.random(), rng.choice([1, 2, 3]), [rng.gauss(0, 1) for _ in range(2)]


# unchanged
def case_numpy_only(n: int):
    rng = np.random.default_rng(n)
    return rng.integers(0, 10, 3).tolist()


class Rng:
    def rand(self):
        return 0.5

    def normal_(self):
        return 1

    def manual_seed(self, seed):
        self.seed = seed


# unchanged
def case_names_only():
    rng = Rng()
    rng.manual_seed(3)
    return rng.rand(), rng.normal_(), rng.seed


class Scale(eqx.Module):
    weight: jax.Array

    def __init__(self):
        self.weight = jnp.ones(3)

    def __call__(self, x):
        return x * self.weight


class Rest(eqx.Module):
    dropout: eqx.nn.Dropout
    scale: Scale

    def __init__(self, p: float = 0.5):
        self.dropout = eqx.nn.Dropout(p)
        self.scale = Scale()

    def __call__(self, x, *, key=None):
        return self.dropout(self.scale(x), key=key)

    def plain(self, x):
        return self.scale(x)


def case_module_without_draws(x: jax.Array):
    return Scale()(x)


def case_evaluated(x: jax.Array):
    model = Rest()
    model = eqx.nn.inference_mode(model)
    return model(x)


def case_method_without_draws(x: jax.Array):
    return Rest().plain(x)


def case_dropout_off(x: jax.Array):
    return x, x


def case_attention(batch: jax.Array):
    return scaled_dot_product_attention(batch, batch, batch)


def case_distribution_without_sample():
    normal = Normal(jnp.zeros(2), jnp.ones(2))
    return normal.log_prob(jnp.ones(2)), normal.mean, normal.entropy()


def entry(key: str, value: int):
    return {key: value}


# unchanged
def case_variable_named_key(n: int):
    for key in ("a", "b"):
        n += len(entry(key, value=n))
    return n


def case_seed_without_draws(x: jax.Array):
    key = jax.random.key(0)
    return softened(x)


def generator_of_numbers(n: int):
    yield from range(n)


# unchanged
def case_generator(n: int):
    return list(generator_of_numbers(n))
