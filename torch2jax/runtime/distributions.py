"""torch.distributions: the base class, and distributions of one real number.

Values outside of a support are not refused (torch's `validate_args` looks at values, which a compiled program cannot).
"""

import math

import jax
import jax.numpy as jnp
from jax.scipy import special
from jax.scipy.special import erf, erfinv, gammainc, gammaln

from torch2jax.runtime.reductions import absolute


class Fields:
    """A pytree of the arrays in its fields; the fields named in `static` are part of its structure."""

    static = ()

    def __init_subclass__(cls):
        jax.tree_util.register_pytree_node(cls, cls._flatten, cls._unflatten)

    def _flatten(self):
        names = tuple(name for name in vars(self) if name not in (*self.static, "cached"))
        return [getattr(self, name) for name in names], (names, tuple(getattr(self, name) for name in self.static))

    @classmethod
    def _unflatten(cls, structure, arrays):
        new = object.__new__(cls)
        vars(new).update(zip(structure[0], arrays))
        vars(new).update(zip(cls.static, structure[1]))
        return new


class Distribution(Fields):
    """torch.distributions.Distribution; `sample` and `rsample` take their key first."""

    event_shape = ()

    @property
    def batch_shape(self):
        return jax.tree.leaves(self)[0].shape

    @property
    def stddev(self):
        return jnp.sqrt(self.variance)

    def drawn_shape(self, shape):
        return (*shape, *self.batch_shape, *self.event_shape)

    def sample(self, key, shape=()):
        return jax.lax.stop_gradient(self.rsample(key, shape))

    def perplexity(self):
        return jnp.exp(self.entropy())

    def expand(self, shape):
        rank = len(self.batch_shape)
        return jax.tree.map(lambda array: jnp.broadcast_to(array, (*shape, *array.shape[rank:])), self)

    def kl_divergence(self, other):
        if type(other) is not type(self) or not hasattr(self, "divergence"):
            raise NotImplementedError(f"no divergence of {type(self).__name__} from {type(other).__name__}")
        return self.divergence(other)


def broadcast_all(*values):
    """Arrays of one shape and of floating point; numbers adapt themselves to the arrays."""
    dtype = jnp.result_type(float, *values)
    return jnp.broadcast_arrays(*(jnp.asarray(value, dtype) for value in values))


class Normal(Distribution):
    """torch.distributions.Normal."""

    def __init__(self, loc, scale):
        self.loc, self.scale = broadcast_all(loc, scale)

    mean = mode = property(lambda self: self.loc)
    stddev = property(lambda self: self.scale)
    variance = property(lambda self: self.scale**2)

    def rsample(self, key, shape=()):
        return self.loc + self.scale * jax.random.normal(key, self.drawn_shape(shape), self.loc.dtype)

    def log_prob(self, value):
        squares = (value - self.loc) ** 2 / (2 * self.scale**2)
        return -squares - jnp.log(self.scale) - math.log(math.sqrt(2 * math.pi))

    def cdf(self, value):
        return 0.5 * (1 + erf((value - self.loc) / (self.scale * math.sqrt(2))))

    def icdf(self, value):
        return self.loc + self.scale * erfinv(2 * value - 1) * math.sqrt(2)

    def entropy(self):
        return 0.5 + 0.5 * math.log(2 * math.pi) + jnp.log(self.scale)

    def divergence(self, other):
        ratio = (self.scale / other.scale) ** 2
        return 0.5 * (ratio + ((self.loc - other.loc) / other.scale) ** 2 - 1 - jnp.log(ratio))


class LogNormal(Distribution):
    """torch.distributions.LogNormal."""

    def __init__(self, loc, scale):
        self.base_dist = Normal(loc, scale)

    loc = property(lambda self: self.base_dist.loc)
    scale = property(lambda self: self.base_dist.scale)
    mean = property(lambda self: jnp.exp(self.loc + self.scale**2 / 2))
    mode = property(lambda self: jnp.exp(self.loc - self.scale**2))
    variance = property(lambda self: jnp.expm1(self.scale**2) * jnp.exp(2 * self.loc + self.scale**2))

    def rsample(self, key, shape=()):
        return jnp.exp(self.base_dist.rsample(key, shape))

    def log_prob(self, value):
        return self.base_dist.log_prob(jnp.log(value)) - jnp.log(value)

    def cdf(self, value):
        return self.base_dist.cdf(jnp.log(value))

    def icdf(self, value):
        return jnp.exp(self.base_dist.icdf(value))

    def entropy(self):
        return self.base_dist.entropy() + self.loc

    def divergence(self, other):
        return self.base_dist.kl_divergence(other.base_dist)


class Uniform(Distribution):
    """torch.distributions.Uniform."""

    def __init__(self, low, high):
        self.low, self.high = broadcast_all(low, high)

    mean = property(lambda self: (self.high + self.low) / 2)
    mode = property(lambda self: jnp.nan * self.high)
    variance = property(lambda self: (self.high - self.low) ** 2 / 12)
    stddev = property(lambda self: (self.high - self.low) / math.sqrt(12))

    def rsample(self, key, shape=()):
        draws = jax.random.uniform(key, self.drawn_shape(shape), self.low.dtype)
        return self.low + draws * (self.high - self.low)

    def log_prob(self, value):
        inside = (self.low <= value) & (value < self.high)
        return jnp.where(inside, 0, -jnp.inf) - jnp.log(self.high - self.low)

    def cdf(self, value):
        part = (value - self.low) / (self.high - self.low)
        return jnp.where(part < 0, 0, jnp.where(part > 1, 1, part))

    def icdf(self, value):
        return value * (self.high - self.low) + self.low

    def entropy(self):
        return jnp.log(self.high - self.low)

    def divergence(self, other):
        result = jnp.log((other.high - other.low) / (self.high - self.low))
        return jnp.where((other.low > self.low) | (other.high < self.high), jnp.inf, result)


class Exponential(Distribution):
    """torch.distributions.Exponential."""

    def __init__(self, rate):
        (self.rate,) = broadcast_all(rate)

    mean = stddev = property(lambda self: 1 / self.rate)
    mode = property(lambda self: jnp.zeros_like(self.rate))
    variance = property(lambda self: self.rate**-2)

    def rsample(self, key, shape=()):
        return jax.random.exponential(key, self.drawn_shape(shape), self.rate.dtype) / self.rate

    def log_prob(self, value):
        return jnp.log(self.rate) - self.rate * value

    def cdf(self, value):
        return 1 - jnp.exp(-self.rate * value)

    def icdf(self, value):
        return -jnp.log1p(-value) / self.rate

    def entropy(self):
        return 1 - jnp.log(self.rate)

    def divergence(self, other):
        ratio = other.rate / self.rate
        return -jnp.log(ratio) + ratio - 1


class Laplace(Distribution):
    """torch.distributions.Laplace."""

    def __init__(self, loc, scale):
        self.loc, self.scale = broadcast_all(loc, scale)

    mean = mode = property(lambda self: self.loc)
    variance = property(lambda self: 2 * self.scale**2)
    stddev = property(lambda self: math.sqrt(2) * self.scale)

    def rsample(self, key, shape=()):
        return self.loc + self.scale * jax.random.laplace(key, self.drawn_shape(shape), self.loc.dtype)

    def log_prob(self, value):
        return -jnp.log(2 * self.scale) - absolute(value - self.loc) / self.scale

    def cdf(self, value):
        distance = value - self.loc
        return 0.5 - 0.5 * jnp.sign(distance) * jnp.expm1(-absolute(distance) / self.scale)

    def icdf(self, value):
        return self.loc - self.scale * jnp.sign(value - 0.5) * jnp.log1p(-2 * absolute(value - 0.5))

    def entropy(self):
        return 1 + jnp.log(2 * self.scale)

    def divergence(self, other):
        ratio, distance = self.scale / other.scale, absolute(self.loc - other.loc)
        return -jnp.log(ratio) + distance / other.scale + ratio * jnp.exp(-distance / self.scale) - 1


class Gamma(Distribution):
    """torch.distributions.Gamma."""

    def __init__(self, concentration, rate):
        self.concentration, self.rate = broadcast_all(concentration, rate)

    mean = property(lambda self: self.concentration / self.rate)
    mode = property(lambda self: jnp.maximum((self.concentration - 1) / self.rate, 0))
    variance = property(lambda self: self.concentration / self.rate**2)

    def rsample(self, key, shape=()):
        draws = jax.random.gamma(key, self.concentration, self.drawn_shape(shape), self.rate.dtype) / self.rate
        return jnp.maximum(draws, jnp.finfo(draws.dtype).tiny)

    def log_prob(self, value):
        powers = special.xlogy(self.concentration, self.rate) + special.xlogy(self.concentration - 1, value)
        return powers - self.rate * value - gammaln(self.concentration)

    def cdf(self, value):
        return gammainc(self.concentration, self.rate * value)

    def entropy(self):
        shape = self.concentration
        return shape - jnp.log(self.rate) + gammaln(shape) + (1 - shape) * special.digamma(shape)

    def divergence(self, other):
        ours, theirs = self.concentration, other.concentration
        shapes = gammaln(theirs) - gammaln(ours) + (ours - theirs) * special.digamma(ours)
        return theirs * jnp.log(self.rate / other.rate) + shapes + (other.rate - self.rate) * (ours / self.rate)


class Chi2(Gamma):
    """torch.distributions.Chi2."""

    def __init__(self, df):
        super().__init__(0.5 * df, 0.5)

    df = property(lambda self: self.concentration * 2)


class Beta(Distribution):
    """torch.distributions.Beta."""

    def __init__(self, concentration1, concentration0):
        self.concentration1, self.concentration0 = broadcast_all(concentration1, concentration0)

    total = property(lambda self: self.concentration1 + self.concentration0)
    mean = property(lambda self: self.concentration1 / self.total)

    @property
    def mode(self):
        one, zero = jnp.maximum(self.concentration1 - 1, 0), jnp.maximum(self.concentration0 - 1, 0)
        return jnp.where((self.concentration1 < 1) & (self.concentration0 < 1), 1, one / (one + zero))

    @property
    def variance(self):
        return self.concentration1 * self.concentration0 / (self.total**2 * (self.total + 1))

    def rsample(self, key, shape=()):
        a, b = self.concentration1, self.concentration0
        return jax.random.beta(key, a, b, self.drawn_shape(shape), a.dtype)

    def log_prob(self, value):
        a, b = self.concentration1, self.concentration0
        return special.xlogy(a - 1, value) + special.xlogy(b - 1, 1 - value) + gammaln(a + b) - gammaln(a) - gammaln(b)

    def entropy(self):
        a, b = self.concentration1, self.concentration0
        weighted = (a - 1) * special.digamma(a) + (b - 1) * special.digamma(b)
        return gammaln(a) + gammaln(b) - gammaln(a + b) - (2 - a - b) * special.digamma(a + b) - weighted

    def divergence(self, other):
        a, b, total = self.concentration1, self.concentration0, self.total
        theirs = gammaln(other.concentration1) + gammaln(other.concentration0) - gammaln(other.total)
        shapes = (a - other.concentration1) * special.digamma(a) + (b - other.concentration0) * special.digamma(b)
        return (
            theirs - gammaln(a) - gammaln(b) + gammaln(total) + shapes + (other.total - total) * special.digamma(total)
        )


class StudentT(Distribution):
    """torch.distributions.StudentT."""

    def __init__(self, df, loc=0.0, scale=1.0):
        self.df, self.loc, self.scale = broadcast_all(df, loc, scale)

    mean = property(lambda self: jnp.where(self.df <= 1, jnp.nan, self.loc))
    mode = property(lambda self: self.loc)

    @property
    def variance(self):
        finite = self.scale**2 * self.df / jnp.where(self.df > 2, self.df - 2, 1)
        return jnp.where(self.df > 2, finite, jnp.where(self.df > 1, jnp.inf, jnp.nan))

    def rsample(self, key, shape=()):
        normal_key, gamma_key = jax.random.split(key)
        draws = jax.random.normal(normal_key, self.drawn_shape(shape), self.loc.dtype)
        return self.loc + self.scale * draws * jax.lax.rsqrt(Chi2(self.df).rsample(gamma_key, shape) / self.df)

    def log_prob(self, value):
        squares, half = ((value - self.loc) / self.scale) ** 2 / self.df, 0.5 * (self.df + 1)
        norm = jnp.log(self.scale) + 0.5 * jnp.log(self.df) + 0.5 * math.log(math.pi) + gammaln(0.5 * self.df)
        return -half * jnp.log1p(squares) - norm + gammaln(half)

    def entropy(self):
        half, more = 0.5 * self.df, 0.5 * (self.df + 1)
        beta = gammaln(half) + math.lgamma(0.5) - gammaln(more)
        return (
            jnp.log(self.scale) + more * (special.digamma(more) - special.digamma(half)) + 0.5 * jnp.log(self.df) + beta
        )


class Cauchy(Distribution):
    """torch.distributions.Cauchy."""

    def __init__(self, loc, scale):
        self.loc, self.scale = broadcast_all(loc, scale)

    mean = property(lambda self: jnp.full_like(self.loc, jnp.nan))
    mode = property(lambda self: self.loc)
    variance = property(lambda self: jnp.full_like(self.loc, jnp.inf))

    def rsample(self, key, shape=()):
        return self.loc + self.scale * jax.random.cauchy(key, self.drawn_shape(shape), self.loc.dtype)

    def log_prob(self, value):
        return -math.log(math.pi) - jnp.log(self.scale) - jnp.log1p(((value - self.loc) / self.scale) ** 2)

    def cdf(self, value):
        return jnp.arctan((value - self.loc) / self.scale) / math.pi + 0.5

    def icdf(self, value):
        return jnp.tan(math.pi * (value - 0.5)) * self.scale + self.loc

    def entropy(self):
        return math.log(4 * math.pi) + jnp.log(self.scale)

    def divergence(self, other):
        distance = (self.scale + other.scale) ** 2 + (self.loc - other.loc) ** 2
        return jnp.log(distance) - jnp.log(4 * self.scale * other.scale)


class Half(Distribution):
    """The absolute values of draws from a distribution around zero, `base_dist`."""

    scale = property(lambda self: self.base_dist.scale)
    mode = property(lambda self: jnp.zeros_like(self.scale))

    def rsample(self, key, shape=()):
        return jnp.abs(self.base_dist.rsample(key, shape))

    def log_prob(self, value):
        return jnp.where(value >= 0, self.base_dist.log_prob(value) + math.log(2), -jnp.inf)

    def cdf(self, value):
        return 2 * self.base_dist.cdf(value) - 1

    def icdf(self, value):
        return self.base_dist.icdf((value + 1) / 2)

    def entropy(self):
        return self.base_dist.entropy() - math.log(2)


class HalfNormal(Half):
    """torch.distributions.HalfNormal."""

    def __init__(self, scale):
        self.base_dist = Normal(0, scale)

    mean = property(lambda self: self.scale * math.sqrt(2 / math.pi))
    variance = property(lambda self: self.scale**2 * (1 - 2 / math.pi))

    def divergence(self, other):
        return self.base_dist.kl_divergence(other.base_dist)


class HalfCauchy(Half):
    """torch.distributions.HalfCauchy."""

    def __init__(self, scale):
        self.base_dist = Cauchy(0, scale)

    mean = variance = property(lambda self: jnp.full_like(self.scale, jnp.inf))
