"""torch.distributions: distributions of one real number that are made from a uniform draw by exponents and logarithms."""

import math

import jax
import jax.numpy as jnp
from jax.scipy import special
from jax.scipy.special import gammaln

from torch2jax.runtime.distributions import Distribution, broadcast_all


class Gumbel(Distribution):
    """torch.distributions.Gumbel."""

    def __init__(self, loc, scale):
        self.loc, self.scale = broadcast_all(loc, scale)

    mean = property(lambda self: self.loc + self.scale * jnp.euler_gamma)
    mode = property(lambda self: self.loc)
    stddev = property(lambda self: math.pi / math.sqrt(6) * self.scale)
    variance = property(lambda self: self.stddev**2)

    def rsample(self, key, shape=()):
        return self.loc + self.scale * jax.random.gumbel(key, self.drawn_shape(shape), self.loc.dtype)

    def log_prob(self, value):
        distance = (self.loc - value) / self.scale
        return distance - jnp.exp(distance) - jnp.log(self.scale)

    def cdf(self, value):
        return jnp.exp(-jnp.exp((self.loc - value) / self.scale))

    def icdf(self, value):
        return self.loc - self.scale * jnp.log(-jnp.log(value))

    def entropy(self):
        return jnp.log(self.scale) + (1 + jnp.euler_gamma)

    def divergence(self, other):
        ratio, distance = self.scale / other.scale, (self.loc - other.loc) / other.scale
        rest = ratio * jnp.euler_gamma + jnp.exp(gammaln(1 + ratio) - distance)
        return -jnp.log(ratio) + distance + rest - (1 + jnp.euler_gamma)


class Weibull(Distribution):
    """torch.distributions.Weibull."""

    def __init__(self, scale, concentration):
        self.scale, self.concentration = broadcast_all(scale, concentration)

    mean = property(lambda self: self.scale * jnp.exp(gammaln(1 + 1 / self.concentration)))

    @property
    def mode(self):
        return self.scale * ((self.concentration - 1) / self.concentration) ** (1 / self.concentration)

    @property
    def variance(self):
        second = jnp.exp(gammaln(1 + 2 / self.concentration))
        return self.scale**2 * (second - jnp.exp(2 * gammaln(1 + 1 / self.concentration)))

    def rsample(self, key, shape=()):
        draws = jax.random.exponential(key, self.drawn_shape(shape), self.scale.dtype)
        return self.scale * draws ** (1 / self.concentration)

    def log_prob(self, value):
        part, shape = value / self.scale, self.concentration
        return jnp.log(shape) - jnp.log(self.scale) + (shape - 1) * jnp.log(part) - part**shape

    def cdf(self, value):
        return 1 - jnp.exp(-((value / self.scale) ** self.concentration))

    def icdf(self, value):
        return self.scale * (-jnp.log1p(-value)) ** (1 / self.concentration)

    def entropy(self):
        return jnp.euler_gamma * (1 - 1 / self.concentration) + jnp.log(self.scale / self.concentration) + 1


class Pareto(Distribution):
    """torch.distributions.Pareto."""

    def __init__(self, scale, alpha):
        self.scale, self.alpha = broadcast_all(scale, alpha)

    mode = property(lambda self: self.scale)

    @property
    def mean(self):
        alpha = jnp.maximum(self.alpha, 1)
        return alpha * self.scale / (alpha - 1)

    @property
    def variance(self):
        alpha = jnp.maximum(self.alpha, 2)
        return self.scale**2 * alpha / ((alpha - 1) ** 2 * (alpha - 2))

    def rsample(self, key, shape=()):
        draws = jax.random.exponential(key, self.drawn_shape(shape), self.scale.dtype)
        return self.scale * jnp.exp(draws / self.alpha)

    def log_prob(self, value):
        return jnp.log(self.alpha) + self.alpha * jnp.log(self.scale) - (self.alpha + 1) * jnp.log(value)

    def cdf(self, value):
        return 1 - (self.scale / value) ** self.alpha

    def icdf(self, value):
        return self.scale * jnp.exp(-jnp.log1p(-value) / self.alpha)

    def entropy(self):
        return jnp.log(self.scale / self.alpha) + (1 + 1 / self.alpha)

    def divergence(self, other):
        ratio = other.alpha / self.alpha
        result = other.alpha * jnp.log(self.scale / other.scale) - jnp.log(ratio) + ratio - 1
        return jnp.where(self.scale < other.scale, jnp.inf, result)


class Kumaraswamy(Distribution):
    """torch.distributions.Kumaraswamy."""

    def __init__(self, concentration1, concentration0):
        self.concentration1, self.concentration0 = broadcast_all(concentration1, concentration0)

    def moment(self, order):
        a, b = 1 + order / self.concentration1, self.concentration0
        return b * jnp.exp(gammaln(a) + gammaln(b) - gammaln(a + b))

    mean = property(lambda self: self.moment(1))
    variance = property(lambda self: self.moment(2) - self.moment(1) ** 2)

    def rsample(self, key, shape=()):
        dtype = self.concentration1.dtype
        draws = jax.random.uniform(key, self.drawn_shape(shape), dtype, minval=jnp.finfo(dtype).tiny)
        return (1 - draws ** (1 / self.concentration0)) ** (1 / self.concentration1)

    def log_prob(self, value):
        a, b = self.concentration1, self.concentration0
        return jnp.log(a) + jnp.log(b) + (a - 1) * jnp.log(value) + (b - 1) * jnp.log1p(-(value**a))

    def entropy(self):
        a, b = self.concentration1, self.concentration0
        harmonic = special.digamma(b + 1) + jnp.euler_gamma
        return 1 - 1 / b + (1 - 1 / a) * harmonic - jnp.log(a) - jnp.log(b)
