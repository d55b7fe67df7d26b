"""torch.distributions: quotients and powers of Gamma variables, and angles."""

import math

import jax
import jax.numpy as jnp
from jax.scipy import special
from jax.scipy.special import gammaln

from torch2jax.runtime.distributions import Distribution, Gamma, broadcast_all


class InverseGamma(Distribution):
    """torch.distributions.InverseGamma."""

    def __init__(self, concentration, rate):
        self.concentration, self.rate = broadcast_all(concentration, rate)

    base_dist = property(lambda self: Gamma(self.concentration, self.rate))
    mode = property(lambda self: self.rate / (self.concentration + 1))

    @property
    def mean(self):
        finite = self.rate / jnp.where(self.concentration > 1, self.concentration - 1, 1)
        return jnp.where(self.concentration > 1, finite, jnp.inf)

    @property
    def variance(self):
        shape = jnp.where(self.concentration > 2, self.concentration, 3)
        finite = self.rate**2 / ((shape - 1) ** 2 * (shape - 2))
        return jnp.where(self.concentration > 2, finite, jnp.inf)

    def rsample(self, key, shape=()):
        return 1 / self.base_dist.rsample(key, shape)

    def log_prob(self, value):
        return self.base_dist.log_prob(1 / value) - 2 * jnp.log(value)

    def cdf(self, value):
        return 1 - self.base_dist.cdf(1 / value)

    def entropy(self):
        shape = self.concentration
        return shape + jnp.log(self.rate) + gammaln(shape) - (1 + shape) * special.digamma(shape)


class FisherSnedecor(Distribution):
    """torch.distributions.FisherSnedecor."""

    def __init__(self, df1, df2):
        self.df1, self.df2 = broadcast_all(df1, df2)

    @property
    def mean(self):
        return jnp.where(self.df2 > 2, self.df2 / jnp.where(self.df2 > 2, self.df2 - 2, 1), jnp.nan)

    @property
    def mode(self):
        return jnp.where(self.df1 > 2, (self.df1 - 2) / self.df1 * self.df2 / (self.df2 + 2), jnp.nan)

    @property
    def variance(self):
        other = jnp.where(self.df2 > 4, self.df2, 5)
        finite = 2 * other**2 * (self.df1 + other - 2) / (self.df1 * (other - 2) ** 2 * (other - 4))
        return jnp.where(self.df2 > 4, finite, jnp.nan)

    def rsample(self, key, shape=()):
        above_key, below_key = jax.random.split(key)
        above = Gamma(self.df1 * 0.5, self.df1).rsample(above_key, shape)
        return jnp.maximum(
            above / Gamma(self.df2 * 0.5, self.df2).rsample(below_key, shape), jnp.finfo(above.dtype).tiny
        )

    def log_prob(self, value):
        half, other, ratio = self.df1 * 0.5, self.df2 * 0.5, self.df1 / self.df2
        norm = gammaln(half + other) - gammaln(half) - gammaln(other)
        powers = half * jnp.log(ratio) + (half - 1) * jnp.log(value)
        return norm + powers - (half + other) * jnp.log1p(ratio * value)


class VonMises(Distribution):
    """torch.distributions.VonMises, drawn as in Best and Fisher (1979)."""

    def __init__(self, loc, concentration):
        self.loc, self.concentration = broadcast_all(loc, concentration)

    mean = mode = property(lambda self: self.loc)
    variance = property(lambda self: 1 - special.i1e(self.concentration) / special.i0e(self.concentration))

    def log_prob(self, value):
        norm = jnp.log(special.i0e(self.concentration)) + self.concentration
        return self.concentration * jnp.cos(value - self.loc) - math.log(2 * math.pi) - norm

    def sample(self, key, shape=()):
        loc, concentration = (
            jnp.broadcast_to(part, self.drawn_shape(shape)) for part in (self.loc, self.concentration)
        )
        tau = 1 + jnp.sqrt(1 + 4 * concentration**2)
        rho = (tau - jnp.sqrt(2 * tau)) / (2 * jnp.maximum(concentration, 1e-5))
        proposal = (1 + rho**2) / jnp.where(rho > 0, 2 * rho, 1)
        proposal = jnp.where(concentration < 1e-5, 1 / concentration + concentration, proposal)

        def propose(carry):
            key, angles, found = carry
            key, subkey = jax.random.split(key)
            first, second, third = jax.random.uniform(subkey, (3, *loc.shape), loc.dtype)
            turn = jnp.cos(math.pi * first)
            part = jnp.clip((1 + proposal * turn) / (proposal + turn), -1, 1)
            excess = concentration * (proposal - part)
            taken = (excess * (2 - excess) > second) | (jnp.log(excess / second) + 1 - excess >= 0)
            drawn = jnp.sign(third - 0.5) * jnp.arccos(part)
            return key, jnp.where(taken & ~found, drawn, angles), found | taken

        start = key, jnp.zeros_like(loc), jnp.zeros(loc.shape, bool)
        _, angles, _ = jax.lax.while_loop(lambda carry: ~carry[2].all(), propose, start)
        return jax.lax.stop_gradient((angles + math.pi + loc) % (2 * math.pi) - math.pi)
