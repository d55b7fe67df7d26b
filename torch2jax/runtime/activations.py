"""Activations and dropout of torch where `jax.nn` has other values or other gradients."""

import math

import equinox as eqx
import jax
import jax.numpy as jnp


def leaky_relu(x, negative_slope=0.01):
    """torch.nn.functional.leaky_relu: the gradient at 0 is the negative slope."""
    return jnp.where(x > 0, x, negative_slope * x)


def prelu(x, weight):
    """torch.nn.functional.prelu: one slope, or one for every channel (axis 1); the gradient at 0 is the slope."""
    if weight.size > 1 and x.ndim > 1:
        weight = weight.reshape((-1,) + (1,) * (x.ndim - 2))
    return jnp.where(x > 0, x, weight.reshape(()) * x if weight.size == 1 else weight * x)


class PReLU(eqx.Module):
    """torch.nn.PReLU."""

    weight: jax.Array

    def __init__(self, num_parameters=1, init=0.25):
        self.weight = jnp.full(num_parameters, init)

    def __call__(self, x, *, key=None):
        return prelu(x, self.weight)


def rrelu(x, lower=1 / 8, upper=1 / 3, *, key=None):
    """torch.nn.functional.rrelu: random slopes in training (with a key), their mean in evaluation."""
    if key is None:
        return leaky_relu(x, (lower + upper) / 2)
    slope = jax.random.uniform(key, x.shape, x.dtype, lower, upper)
    return jnp.where(x <= 0, slope * x, x)


def hardtanh(x, min_val=-1.0, max_val=1.0):
    """torch.nn.functional.hardtanh: gradient 0 at the corners."""
    return jnp.where(x <= min_val, min_val, jnp.where(x >= max_val, max_val, x))


def hardsigmoid(x):
    """torch.nn.functional.hardsigmoid: gradient 0 at -3 and 3."""
    return jnp.where(x <= -3, 0, jnp.where(x >= 3, 1, x / 6 + 0.5))


def hardswish(x):
    """torch.nn.functional.hardswish, with torch's gradients at -3 and 3."""
    return jnp.where(x <= -3, 0, jnp.where(x >= 3, x, x * (x / 6 + 0.5)))


def softmin(x, dim):
    """torch.nn.functional.softmin."""
    return jax.nn.softmax(-x, axis=dim)


def over_implicit_dim(function, x):
    """torch.nn.functional.softmax and its like without `dim`: over the first axis of arrays with none, one or three axes."""
    return function(x, 0 if x.ndim in (0, 1, 3) else 1)


def hardshrink(x, lambd=0.5):
    """torch.nn.functional.hardshrink."""
    return jnp.where((x >= -lambd) & (x <= lambd), 0, x)


def softshrink(x, lambd=0.5):
    """torch.nn.functional.softshrink."""
    return jnp.where(x > lambd, x - lambd, jnp.where(x < -lambd, x + lambd, 0 * x))


def threshold(x, threshold, value):
    """torch.nn.functional.threshold: entries that are not above the threshold become `value`."""
    return jnp.where(x <= threshold, jnp.asarray(value, x.dtype), x)


def softplus(x, beta=1.0, threshold=20.0):
    """torch.nn.functional.softplus: the identity where beta * x exceeds the threshold."""
    large = beta * x > threshold
    return jnp.where(large, x, jax.nn.softplus(jnp.where(large, 0, beta * x)) / beta)


def gumbel_softmax(logits, tau=1.0, hard=False, dim=-1, *, key):
    """torch.nn.functional.gumbel_softmax: with `hard` one-hot values that have the gradient of the soft ones."""
    soft = jax.nn.softmax((logits + jax.random.gumbel(key, logits.shape, logits.dtype)) / tau, axis=dim)
    if not hard:
        return soft
    one_hot = jax.nn.one_hot(jnp.argmax(soft, axis=dim), logits.shape[dim], dtype=soft.dtype, axis=dim)
    return one_hot + soft - jax.lax.stop_gradient(soft)


def dropout(x, p=0.5, *, key, inference=False):
    """torch.nn.functional.dropout: `p` is the probability of dropping an entry."""
    if inference or p == 0:
        return x
    return jnp.zeros_like(x) if p == 1 else jnp.where(jax.random.bernoulli(key, 1 - p, x.shape), x / (1 - p), 0)


def dropout_channels(x, p=0.5, *, key, inference=False):
    """torch.nn.functional.dropout1d, dropout2d, dropout3d: drops whole channels (the first two axes)."""
    if inference or p == 0:
        return x
    keep = jax.random.bernoulli(key, 1 - p, x.shape[:2] + (1,) * (x.ndim - 2))
    return jnp.zeros_like(x) if p == 1 else jnp.where(keep, x / (1 - p), 0)


class ChannelDropout(eqx.Module):
    """torch.nn.Dropout1d, Dropout2d and Dropout3d on a batch: drops whole channels."""

    p: float
    inference: bool = False

    def __call__(self, x, *, key=None):
        return dropout_channels(x, self.p, key=key, inference=self.inference)


def alpha_dropout(x, p=0.5, *, key, inference=False, shape=None):
    """torch.nn.functional.alpha_dropout: keeps mean and variance of self-normalising activations.

    Draws of `shape`, by default that of `x`, say what is dropped."""
    if inference or p == 0:
        return x
    if p == 1:
        return jnp.zeros_like(x)
    dropped = -1.7580993408473766
    scale = 1 / math.sqrt((1 - p) * (1 + p * dropped**2))
    keep = jax.random.bernoulli(key, 1 - p, x.shape if shape is None else shape)
    return scale * jnp.where(keep, x, dropped) - scale * dropped * p
