"""Random draws of torch whose arguments are known at run time; every function takes its key first."""

import jax
import jax.numpy as jnp


def uniform_like(key, x):
    """torch.rand_like."""
    return jax.random.uniform(key, x.shape, x.dtype)


def randint_like(key, x, low, high, dtype=None):
    """torch.randint_like: integers, in the dtype of `x` unless another is given."""
    return jax.random.randint(key, x.shape, low, high).astype(dtype or x.dtype)


def normal_like(key, x):
    """torch.randn_like."""
    return jax.random.normal(key, x.shape, x.dtype)


def normal_around(key, mean, std):
    """torch.normal: independent draws with the given means and standard deviations (arrays or numbers)."""
    shape = jnp.broadcast_shapes(jnp.shape(mean), jnp.shape(std))
    return mean + std * jax.random.normal(key, shape, jnp.result_type(float, mean, std))


def bernoulli(key, probs):
    """torch.bernoulli: 0 and 1 in the dtype of the probabilities."""
    return jax.random.bernoulli(key, probs).astype(probs.dtype)


def poisson(key, rates):
    """torch.poisson: counts in the dtype of the rates."""
    return jax.random.poisson(key, rates).astype(rates.dtype)


def multinomial(key, weights, num_samples, replacement=False):
    """torch.multinomial: indices drawn with unnormalised weights along the last axis."""
    logits = jnp.log(weights)
    if replacement:
        draws = jax.random.categorical(key, logits, axis=-1, shape=(num_samples, *weights.shape[:-1]))
        return jnp.moveaxis(draws, 0, -1)
    return jax.lax.top_k(logits + jax.random.gumbel(key, weights.shape, weights.dtype), num_samples)[1].astype(int)
