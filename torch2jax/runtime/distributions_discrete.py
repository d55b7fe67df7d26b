"""torch.distributions: distributions over classes and counts, and their relaxations. None but the latter have `rsample`."""

import math

import jax
import jax.numpy as jnp
from jax.scipy import special
from jax.scipy.special import gammaln, logsumexp

from torch2jax.runtime.distributions import Distribution, Gamma, broadcast_all


def clamp_probs(probs):
    """Probabilities away from 0 and 1 by the precision of their dtype."""
    eps = jnp.finfo(probs.dtype).eps
    return jnp.where(probs < eps, eps, jnp.where(probs > 1 - eps, 1 - eps, probs))


def binary_parameters(probs, logits):
    """Both parameters of a choice between two, from the one that is given."""
    if (probs is None) == (logits is None):
        raise ValueError("either `probs` or `logits` must be given, not both")
    if logits is not None:
        (logits,) = broadcast_all(logits)
        return jax.nn.sigmoid(logits), logits
    (probs,) = broadcast_all(probs)
    clamped = clamp_probs(probs)
    return probs, jnp.log(clamped) - jnp.log1p(-clamped)


def class_parameters(probs, logits):
    """Both normalized parameters of a choice among classes, from the one that is given."""
    if (probs is None) == (logits is None):
        raise ValueError("either `probs` or `logits` must be given, not both")
    if logits is not None:
        logits = logits - logsumexp(logits, axis=-1, keepdims=True)
        return jax.nn.softmax(logits), logits
    probs = probs / probs.sum(-1, keepdims=True)
    return probs, jnp.log(clamp_probs(probs))


class Bernoulli(Distribution):
    """torch.distributions.Bernoulli."""

    def __init__(self, probs=None, logits=None):
        self.probs, self.logits = binary_parameters(probs, logits)

    mean = property(lambda self: self.probs)
    variance = property(lambda self: self.probs * (1 - self.probs))

    @property
    def mode(self):
        return jnp.where(self.probs == 0.5, jnp.nan, (self.probs >= 0.5).astype(self.probs.dtype))

    def sample(self, key, shape=()):
        return jax.random.bernoulli(key, self.probs, self.drawn_shape(shape)).astype(self.probs.dtype)

    def log_prob(self, value):
        return jax.nn.log_sigmoid(self.logits) - (1 - value) * self.logits

    def entropy(self):
        return (1 - self.probs) * self.logits - jax.nn.log_sigmoid(self.logits)

    def enumerate_support(self, expand=True):
        values = jnp.arange(2, dtype=self.probs.dtype).reshape(-1, *(1 for _ in self.batch_shape))
        return jnp.broadcast_to(values, (2, *self.batch_shape)) if expand else values

    def divergence(self, other):
        softplus = jax.nn.softplus
        ones = self.probs * (softplus(-other.logits) - softplus(-self.logits))
        zeros = (1 - self.probs) * (softplus(other.logits) - softplus(self.logits))
        ones = jnp.where(self.probs == 0, 0, jnp.where(other.probs == 0, jnp.inf, ones))
        return ones + jnp.where(self.probs == 1, 0, jnp.where(other.probs == 1, jnp.inf, zeros))


class Categorical(Distribution):
    """torch.distributions.Categorical."""

    def __init__(self, probs=None, logits=None):
        self.probs, self.logits = class_parameters(probs, logits)

    batch_shape = property(lambda self: self.logits.shape[:-1])
    mean = variance = property(lambda self: jnp.full(self.batch_shape, jnp.nan, self.probs.dtype))
    mode = property(lambda self: self.probs.argmax(-1))

    def sample(self, key, shape=()):
        return jax.random.categorical(key, jnp.log(self.probs), shape=self.drawn_shape(shape))

    def log_prob(self, value):
        shape = jnp.broadcast_shapes(value.shape, self.batch_shape)
        index = jnp.broadcast_to(value, shape).astype(int)[..., None]
        logits = jnp.broadcast_to(self.logits, (*shape, self.logits.shape[-1]))
        return jnp.take_along_axis(logits, index, axis=-1)[..., 0]

    def entropy(self):
        logits = jnp.maximum(self.logits, jnp.finfo(self.logits.dtype).min)
        return -(logits * self.probs).sum(-1)

    def enumerate_support(self, expand=True):
        count = self.logits.shape[-1]
        values = jnp.arange(count).reshape(-1, *(1 for _ in self.batch_shape))
        return jnp.broadcast_to(values, (count, *self.batch_shape)) if expand else values

    def divergence(self, other):
        parts = self.probs * (self.logits - other.logits)
        return jnp.where(self.probs == 0, 0, jnp.where(other.probs == 0, jnp.inf, parts)).sum(-1)


class OneHotCategorical(Distribution):
    """torch.distributions.OneHotCategorical."""

    def __init__(self, probs=None, logits=None):
        self.probs, self.logits = class_parameters(probs, logits)

    batch_shape = property(lambda self: self.logits.shape[:-1])
    event_shape = property(lambda self: self.logits.shape[-1:])
    mean = property(lambda self: self.probs)
    mode = property(lambda self: jax.nn.one_hot(self.probs.argmax(-1), self.probs.shape[-1], dtype=self.probs.dtype))
    variance = property(lambda self: self.probs * (1 - self.probs))

    def sample(self, key, shape=()):
        draws = jax.random.categorical(key, jnp.log(self.probs), shape=(*shape, *self.batch_shape))
        return jax.nn.one_hot(draws, self.probs.shape[-1], dtype=self.probs.dtype)

    def log_prob(self, value):
        return Categorical(logits=self.logits).log_prob(value.argmax(-1))

    def entropy(self):
        return Categorical.entropy(self)

    def enumerate_support(self, expand=True):
        count = self.logits.shape[-1]
        values = jnp.eye(count, dtype=self.probs.dtype).reshape(count, *(1 for _ in self.batch_shape), count)
        return jnp.broadcast_to(values, (count, *self.batch_shape, count)) if expand else values

    def divergence(self, other):
        return Categorical.divergence(self, other)


class OneHotCategoricalStraightThrough(OneHotCategorical):
    """torch.distributions.OneHotCategoricalStraightThrough."""

    def rsample(self, key, shape=()):
        return self.sample(key, shape) + (self.probs - jax.lax.stop_gradient(self.probs))


class Binomial(Distribution):
    """torch.distributions.Binomial."""

    def __init__(self, total_count=1, probs=None, logits=None):
        probs, logits = binary_parameters(probs, logits)
        self.total_count, self.probs, self.logits = broadcast_all(total_count, probs, logits)

    mean = property(lambda self: self.total_count * self.probs)
    mode = property(lambda self: jnp.minimum(jnp.floor((self.total_count + 1) * self.probs), self.total_count))
    variance = property(lambda self: self.total_count * self.probs * (1 - self.probs))

    def sample(self, key, shape=()):
        return jax.random.binomial(key, self.total_count, self.probs, self.drawn_shape(shape), self.probs.dtype)

    def log_prob(self, value):
        count = self.total_count
        ways = gammaln(count + 1) - gammaln(value + 1) - gammaln(count - value + 1)
        return value * self.logits + ways - count * jax.nn.softplus(self.logits)

    def divergence(self, other):
        inner = self.probs * (self.logits - other.logits) + jnp.log1p(-self.probs) - jnp.log1p(-other.probs)
        return jnp.where(self.total_count > other.total_count, jnp.inf, self.total_count * inner)


class NegativeBinomial(Distribution):
    """torch.distributions.NegativeBinomial."""

    def __init__(self, total_count, probs=None, logits=None):
        probs, logits = binary_parameters(probs, logits)
        self.total_count, self.probs, self.logits = broadcast_all(total_count, probs, logits)

    mean = property(lambda self: self.total_count * jnp.exp(self.logits))
    mode = property(lambda self: jnp.maximum(jnp.floor((self.total_count - 1) * jnp.exp(self.logits)), 0))
    variance = property(lambda self: self.mean / jax.nn.sigmoid(-self.logits))

    def sample(self, key, shape=()):
        rate_key, key = jax.random.split(key)
        rate = Gamma(self.total_count, jnp.exp(-self.logits)).sample(rate_key, shape)
        return jax.random.poisson(key, rate).astype(rate.dtype)

    def log_prob(self, value):
        count = self.total_count
        ways = gammaln(count + value) - gammaln(1 + value) - gammaln(count)
        ways = jnp.where(count + value == 0, 0, ways)
        return count * jax.nn.log_sigmoid(-self.logits) + value * jax.nn.log_sigmoid(self.logits) + ways


class Geometric(Distribution):
    """torch.distributions.Geometric."""

    def __init__(self, probs=None, logits=None):
        self.probs, self.logits = binary_parameters(probs, logits)

    mean = property(lambda self: 1 / self.probs - 1)
    mode = property(lambda self: jnp.zeros_like(self.probs))
    variance = property(lambda self: (1 / self.probs - 1) / self.probs)

    def sample(self, key, shape=()):
        tiny = jnp.finfo(self.probs.dtype).tiny
        draws = jax.random.uniform(key, self.drawn_shape(shape), self.probs.dtype, minval=tiny)
        return jax.lax.stop_gradient(jnp.floor(jnp.log(draws) / jnp.log1p(-self.probs)))

    def log_prob(self, value):
        fails = jnp.where((self.probs == 1) & (value == 0), 0, self.probs)
        return value * jnp.log1p(-fails) + jnp.log(self.probs)

    def entropy(self):
        return ((1 - self.probs) * self.logits - jax.nn.log_sigmoid(self.logits)) / self.probs

    def divergence(self, other):
        return -self.entropy() - jnp.log1p(-other.probs) / self.probs - other.logits


class Poisson(Distribution):
    """torch.distributions.Poisson."""

    def __init__(self, rate):
        (self.rate,) = broadcast_all(rate)

    mean = variance = property(lambda self: self.rate)
    mode = property(lambda self: jnp.floor(self.rate))

    def sample(self, key, shape=()):
        return jax.random.poisson(key, self.rate, self.drawn_shape(shape)).astype(self.rate.dtype)

    def log_prob(self, value):
        return special.xlogy(value, self.rate) - self.rate - gammaln(value + 1)

    def divergence(self, other):
        return self.rate * (jnp.log(self.rate) - jnp.log(other.rate)) - (self.rate - other.rate)


class Multinomial(Distribution):
    """torch.distributions.Multinomial."""

    static = ("total_count",)

    def __init__(self, total_count=1, probs=None, logits=None):
        self.total_count = total_count
        self.probs, self.logits = class_parameters(probs, logits)

    batch_shape = property(lambda self: self.logits.shape[:-1])
    event_shape = property(lambda self: self.logits.shape[-1:])
    mean = property(lambda self: self.probs * self.total_count)
    variance = property(lambda self: self.total_count * self.probs * (1 - self.probs))

    def sample(self, key, shape=()):
        shape = (self.total_count, *shape, *self.batch_shape)
        draws = jax.random.categorical(key, jnp.log(self.probs), shape=shape)
        return jax.nn.one_hot(draws, self.probs.shape[-1], dtype=self.probs.dtype).sum(0)

    def log_prob(self, value):
        logits = jnp.where((value == 0) & (self.logits == -jnp.inf), 0, self.logits)
        ways = gammaln(value.sum(-1) + 1) - gammaln(value + 1).sum(-1)
        return ways + (logits * value).sum(-1)


class RelaxedBernoulli(Distribution):
    """torch.distributions.RelaxedBernoulli."""

    def __init__(self, temperature, probs=None, logits=None):
        self.probs, self.logits = binary_parameters(probs, logits)
        self.temperature = jnp.asarray(temperature, self.probs.dtype)

    batch_shape = property(lambda self: self.probs.shape)

    def rsample(self, key, shape=()):
        draws = clamp_probs(jax.random.uniform(key, self.drawn_shape(shape), self.probs.dtype))
        probs = clamp_probs(self.probs)
        logits = jnp.log(draws) - jnp.log1p(-draws) + jnp.log(probs) - jnp.log1p(-probs)
        info = jnp.finfo(probs.dtype)
        return jnp.clip(jax.nn.sigmoid(logits / self.temperature), info.tiny, 1 - info.eps)

    def log_prob(self, value):
        info = jnp.finfo(self.probs.dtype)
        value = jnp.clip(value, info.tiny, 1 - info.eps)
        logit = jnp.log(value) - jnp.log1p(-value)
        difference = self.logits - logit * self.temperature
        density = jnp.log(self.temperature) + difference - 2 * jnp.log1p(jnp.exp(difference))
        return density + jax.nn.softplus(-logit) + jax.nn.softplus(logit)


class RelaxedOneHotCategorical(Distribution):
    """torch.distributions.RelaxedOneHotCategorical."""

    def __init__(self, temperature, probs=None, logits=None):
        self.probs, self.logits = class_parameters(probs, logits)
        self.temperature = jnp.asarray(temperature, self.probs.dtype)

    batch_shape = property(lambda self: self.logits.shape[:-1])
    event_shape = property(lambda self: self.logits.shape[-1:])

    def rsample(self, key, shape=()):
        draws = clamp_probs(jax.random.uniform(key, self.drawn_shape(shape), self.probs.dtype))
        return jax.nn.softmax((self.logits - jnp.log(-jnp.log(draws))) / self.temperature)

    def log_prob(self, value):
        count, logs = self.logits.shape[-1], jnp.log(value)
        scores = self.logits - logs * self.temperature
        scores = (scores - logsumexp(scores, axis=-1, keepdims=True)).sum(-1)
        return scores + math.lgamma(count) + (count - 1) * jnp.log(self.temperature) - logs.sum(-1)
