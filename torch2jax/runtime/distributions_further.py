"""torch.distributions: those that programs seldom use."""

import math

import jax
import jax.numpy as jnp
from jax.scipy.special import gammaln, multigammaln

from torch2jax.runtime.distributions import Beta, Distribution, Normal, broadcast_all
from torch2jax.runtime.distributions_joint import MultivariateNormal


class GeneralizedPareto(Distribution):
    """torch.distributions.GeneralizedPareto."""

    def __init__(self, loc, scale, concentration):
        self.loc, self.scale, self.concentration = broadcast_all(loc, scale, concentration)

    is_exponential = property(lambda self: jnp.isclose(self.concentration, 0))
    shape = property(lambda self: jnp.where(self.is_exponential, 1, self.concentration))

    @property
    def mean(self):
        finite = self.loc + self.scale / (1 - jnp.where(self.concentration < 1, self.concentration, 0.5))
        return jnp.where(self.concentration < 1, finite, jnp.nan)

    @property
    def variance(self):
        shape = jnp.where(self.concentration < 0.5, self.concentration, 0.25)
        finite = self.scale**2 / ((1 - shape) ** 2 * (1 - 2 * shape))
        return jnp.where(self.concentration < 0.5, finite, jnp.nan)

    def rsample(self, key, shape=()):
        return self.icdf(jax.random.uniform(key, self.drawn_shape(shape), self.loc.dtype))

    def log_prob(self, value):
        z, power = (value - self.loc) / self.scale, 1 / self.shape + 1
        tail = jnp.where(power == 0, 0, power * jnp.log1p(self.shape * z))
        return -jnp.log(self.scale) - jnp.where(self.is_exponential, z, tail)

    def log_survival_function(self, value):
        z = (value - self.loc) / self.scale
        return jnp.where(self.is_exponential, -z, -jnp.log1p(self.shape * z) / self.shape)

    def cdf(self, value):
        return jnp.exp(jnp.log1p(-jnp.exp(self.log_survival_function(value))))

    def icdf(self, value):
        logs = jnp.log1p(-value)
        bent = self.loc + self.scale / self.shape * jnp.expm1(-self.shape * logs)
        return jnp.where(self.is_exponential, self.loc - self.scale * logs, bent)

    def entropy(self):
        return jnp.log(self.scale) + self.concentration + 1


class ContinuousBernoulli(Distribution):
    """torch.distributions.ContinuousBernoulli; around 1/2 its density is that of a Taylor series."""

    static = ("lims",)

    def __init__(self, probs=None, logits=None, lims=(0.499, 0.501)):
        (given,) = broadcast_all(logits if probs is None else probs)
        tiny = jnp.finfo(given.dtype).eps
        self.probs = jnp.clip(jax.nn.sigmoid(given) if probs is None else given, tiny, 1 - tiny)
        self.logits = given if probs is None else jnp.log(self.probs) - jnp.log1p(-self.probs)
        self.lims = tuple(lims)

    is_outside = property(lambda self: (self.probs <= self.lims[0]) | (self.probs > self.lims[1]))
    cut = property(lambda self: jnp.where(self.is_outside, self.probs, self.lims[0]))
    span = property(lambda self: jnp.log1p(-self.cut) - jnp.log(self.cut))

    @property
    def log_norm(self):
        below, above = jnp.where(self.cut <= 0.5, self.cut, 0), jnp.where(self.cut >= 0.5, self.cut, 1)
        width = jnp.where(self.cut <= 0.5, jnp.log1p(-2 * below), jnp.log(2 * above - 1))
        squares = (self.probs - 0.5) ** 2
        taylor = math.log(2) + (4 / 3 + 104 / 45 * squares) * squares
        return jnp.where(self.is_outside, jnp.log(jnp.abs(self.span)) - width, taylor)

    @property
    def mean(self):
        x = self.probs - 0.5
        taylor = 0.5 + (1 / 3 + 16 / 45 * x**2) * x
        return jnp.where(self.is_outside, self.cut / (2 * self.cut - 1) + 1 / self.span, taylor)

    @property
    def variance(self):
        squares = (self.probs - 0.5) ** 2
        taylor = 1 / 12 - (1 / 15 - 128 / 945 * squares) * squares
        plain = self.cut * (self.cut - 1) / (1 - 2 * self.cut) ** 2 + 1 / self.span**2
        return jnp.where(self.is_outside, plain, taylor)

    def rsample(self, key, shape=()):
        tiny = jnp.finfo(self.probs.dtype).tiny
        return self.icdf(jax.random.uniform(key, self.drawn_shape(shape), self.probs.dtype, tiny))

    def log_prob(self, value):
        return jax.nn.log_sigmoid(self.logits) - (1 - value) * self.logits + self.log_norm

    def cdf(self, value):
        powers = self.cut**value * (1 - self.cut) ** (1 - value) + self.cut - 1
        inside = jnp.where(self.is_outside, powers / (2 * self.cut - 1), value)
        return jnp.where(value <= 0, 0, jnp.where(value >= 1, 1, inside))

    def icdf(self, value):
        logs = jnp.log1p(-self.cut + value * (2 * self.cut - 1)) - jnp.log1p(-self.cut)
        return jnp.where(self.is_outside, logs / -self.span, value)

    def entropy(self):
        zeros, ones = jnp.log1p(-self.probs), jnp.log(self.probs)
        return self.mean * (zeros - ones) - self.log_norm - zeros


class LogisticNormal(Distribution):
    """torch.distributions.LogisticNormal: pieces of a stick that are broken off at sigmoids of normal numbers."""

    def __init__(self, loc, scale):
        base = Normal(loc, scale)
        self.base_dist = base if base.batch_shape else base.expand((1,))

    loc = property(lambda self: self.base_dist.loc)
    scale = property(lambda self: self.base_dist.scale)
    batch_shape = property(lambda self: self.loc.shape[:-1])
    event_shape = property(lambda self: (self.loc.shape[-1] + 1,))
    offset = property(lambda self: jnp.log(jnp.arange(self.loc.shape[-1], 0, -1, dtype=self.loc.dtype)))

    def rsample(self, key, shape=()):
        finite = jnp.finfo(self.loc.dtype)
        broken = jax.nn.sigmoid(self.base_dist.rsample(key, shape) - self.offset)
        broken = jnp.clip(broken, finite.tiny, 1 - finite.eps)
        ends = [(0, 0)] * (broken.ndim - 1)
        left = jnp.pad(jnp.cumprod(1 - broken, -1), [*ends, (1, 0)], constant_values=1)
        return jnp.pad(broken, [*ends, (0, 1)], constant_values=1) * left

    def log_prob(self, value):
        pieces = value[..., :-1]
        left = jnp.maximum(1 - jnp.cumsum(pieces, -1), jnp.finfo(value.dtype).tiny)
        sums = jnp.log(pieces) - jnp.log(left)
        jacobian = (-sums + jax.nn.log_sigmoid(sums) + jnp.log(pieces)).sum(-1)
        return self.base_dist.log_prob(sums + self.offset).sum(-1) - jacobian


class LowRankMultivariateNormal(MultivariateNormal):
    """torch.distributions.LowRankMultivariateNormal: the covariance is a product of a narrow matrix, and a diagonal."""

    def __init__(self, loc, cov_factor, cov_diag):
        batch = jnp.broadcast_shapes(loc.shape[:-1], cov_factor.shape[:-2], cov_diag.shape[:-1])
        self.loc = jnp.broadcast_to(loc, (*batch, loc.shape[-1]))
        self.cov_factor = jnp.broadcast_to(cov_factor, (*batch, *cov_factor.shape[-2:]))
        self.cov_diag = jnp.broadcast_to(cov_diag, (*batch, cov_diag.shape[-1]))

    variance = property(lambda self: jnp.square(self.cov_factor).sum(-1) + self.cov_diag)

    @property
    def scale_tril(self):
        """By a matrix whose eigenvalues are at least one."""
        root = jnp.sqrt(self.cov_diag)[..., None]
        scaled = self.cov_factor / root
        return root * jnp.linalg.cholesky(jnp.eye(root.shape[-2]) + scaled @ jnp.swapaxes(scaled, -2, -1))


class LKJCholesky(Distribution):
    """torch.distributions.LKJCholesky: Cholesky factors of correlation matrices, drawn by the onion method."""

    static = ("dim",)

    def __init__(self, dim, concentration=1.0):
        self.dim, (self.concentration,) = dim, broadcast_all(concentration)

    event_shape = property(lambda self: (self.dim, self.dim))

    def sample(self, key, shape=()):
        radius_key, direction_key = jax.random.split(key)
        offset = jnp.maximum(jnp.arange(self.dim, dtype=self.concentration.dtype) - 1, 0)
        shrunk = (self.concentration + 0.5 * (self.dim - 2))[..., None] - 0.5 * offset
        radius = Beta(offset + 0.5, shrunk).sample(radius_key, shape)[..., None]
        normal = jnp.tril(jax.random.normal(direction_key, self.drawn_shape(shape), radius.dtype), -1)
        length = jnp.linalg.norm(normal, axis=-1, keepdims=True)
        below = jnp.sqrt(radius) * jnp.where(length > 0, normal / jnp.where(length > 0, length, 1), 0)
        ends = jnp.maximum(1 - jnp.square(below).sum(-1), jnp.finfo(below.dtype).tiny)
        return jax.lax.stop_gradient(below + jnp.sqrt(ends)[..., None] * jnp.eye(self.dim, dtype=below.dtype))

    def log_prob(self, value):
        count = self.dim - 1
        order = 2 * (self.concentration - 1)[..., None] + self.dim - jnp.arange(2, self.dim + 1, dtype=value.dtype)
        powers = (order * jnp.log(jnp.diagonal(value, axis1=-2, axis2=-1)[..., 1:])).sum(-1)
        alpha = self.concentration + 0.5 * count
        norm = 0.5 * count * math.log(math.pi) + multigammaln(alpha - 0.5, count) - gammaln(alpha) * count
        return powers - norm
