"""torch.distributions: distributions over vectors, those made from others, and the transforms of real numbers."""

import math
from functools import partial

import jax
import jax.numpy as jnp
from jax.scipy import special
from jax.scipy.linalg import solve_triangular
from jax.scipy.special import gammaln

from torch2jax.runtime.distributions import Distribution, Fields


def sum_rightmost(values, count):
    """The sum over the last `count` axes."""
    return values.sum(tuple(range(-count, 0))) if count else values


class Dirichlet(Distribution):
    """torch.distributions.Dirichlet."""

    def __init__(self, concentration):
        self.concentration = concentration

    batch_shape = property(lambda self: self.concentration.shape[:-1])
    event_shape = property(lambda self: self.concentration.shape[-1:])
    total = property(lambda self: self.concentration.sum(-1, keepdims=True))
    mean = property(lambda self: self.concentration / self.total)

    @property
    def mode(self):
        above = jnp.maximum(self.concentration - 1, 0)
        corner = jax.nn.one_hot(0, above.shape[-1], dtype=above.dtype)
        below = (self.concentration < 1).all(-1, keepdims=True)
        return jnp.where(below, corner, above / above.sum(-1, keepdims=True))

    @property
    def variance(self):
        return self.concentration * (self.total - self.concentration) / (self.total**2 * (self.total + 1))

    def rsample(self, key, shape=()):
        return jax.random.dirichlet(key, self.concentration, (*shape, *self.batch_shape), self.concentration.dtype)

    def log_prob(self, value):
        powers = special.xlogy(self.concentration - 1, value).sum(-1)
        return powers + gammaln(self.concentration.sum(-1)) - gammaln(self.concentration).sum(-1)

    def entropy(self):
        alpha, total = self.concentration, self.concentration.sum(-1)
        weighted = ((alpha - 1) * special.digamma(alpha)).sum(-1)
        return gammaln(alpha).sum(-1) - gammaln(total) - (alpha.shape[-1] - total) * special.digamma(total) - weighted

    def divergence(self, other):
        ours, theirs, total = self.concentration, other.concentration, self.total
        norms = gammaln(total[..., 0]) - gammaln(other.total[..., 0]) - (gammaln(ours) - gammaln(theirs)).sum(-1)
        return norms + ((ours - theirs) * (special.digamma(ours) - special.digamma(total))).sum(-1)


class MultivariateNormal(Distribution):
    """torch.distributions.MultivariateNormal."""

    def __init__(self, loc, covariance_matrix=None, precision_matrix=None, scale_tril=None):
        if precision_matrix is not None:
            flipped = jnp.linalg.cholesky(jnp.flip(precision_matrix, (-2, -1)))
            inverse = jnp.swapaxes(jnp.flip(flipped, (-2, -1)), -2, -1)
            identity = jnp.broadcast_to(jnp.eye(inverse.shape[-1], dtype=inverse.dtype), inverse.shape)
            scale_tril = solve_triangular(inverse, identity, lower=True)
        elif covariance_matrix is not None:
            scale_tril = jnp.linalg.cholesky(covariance_matrix)
        batch = jnp.broadcast_shapes(loc.shape[:-1], scale_tril.shape[:-2])
        self.loc = jnp.broadcast_to(loc, (*batch, loc.shape[-1]))
        self.scale_tril = jnp.broadcast_to(scale_tril, (*batch, *scale_tril.shape[-2:]))

    batch_shape = property(lambda self: self.loc.shape[:-1])
    event_shape = property(lambda self: self.loc.shape[-1:])
    mean = mode = property(lambda self: self.loc)
    variance = property(lambda self: jnp.square(self.scale_tril).sum(-1))
    covariance_matrix = property(lambda self: self.scale_tril @ jnp.swapaxes(self.scale_tril, -2, -1))
    precision_matrix = property(lambda self: jnp.linalg.inv(self.covariance_matrix))
    half_log_det = property(lambda self: jnp.log(jnp.diagonal(self.scale_tril, axis1=-2, axis2=-1)).sum(-1))

    def whiten(self, difference):
        """The distance from the mean in standard deviations along each axis."""
        solve = jnp.vectorize(partial(solve_triangular, lower=True), signature="(n,n),(n)->(n)")
        return solve(self.scale_tril, difference)

    def rsample(self, key, shape=()):
        draws = jax.random.normal(key, self.drawn_shape(shape), self.loc.dtype)
        return self.loc + (self.scale_tril @ draws[..., None])[..., 0]

    def log_prob(self, value):
        squares = jnp.square(self.whiten(value - self.loc)).sum(-1)
        return -0.5 * (self.loc.shape[-1] * math.log(2 * math.pi) + squares) - self.half_log_det

    def entropy(self):
        return 0.5 * self.loc.shape[-1] * (1 + math.log(2 * math.pi)) + self.half_log_det

    def divergence(self, other):
        columns = other.whiten(jnp.moveaxis(self.scale_tril, -1, 0))
        spread = jnp.square(columns).sum((0, -1))
        squares = jnp.square(other.whiten(other.loc - self.loc)).sum(-1)
        return other.half_log_det - self.half_log_det + 0.5 * (spread + squares - self.loc.shape[-1])


class Independent(Distribution):
    """The last axes of the batch of `base_dist` belong to one event."""

    static = ("reinterpreted_batch_ndims",)

    def __init__(self, base_distribution, reinterpreted_batch_ndims):
        self.base_dist, self.reinterpreted_batch_ndims = base_distribution, reinterpreted_batch_ndims

    mean = property(lambda self: self.base_dist.mean)
    mode = property(lambda self: self.base_dist.mode)
    variance = property(lambda self: self.base_dist.variance)

    @property
    def batch_shape(self):
        shape = self.base_dist.batch_shape
        return shape[: len(shape) - self.reinterpreted_batch_ndims]

    @property
    def event_shape(self):
        shape = (*self.base_dist.batch_shape, *self.base_dist.event_shape)
        return shape[len(self.batch_shape) :]

    def sample(self, key, shape=()):
        return self.base_dist.sample(key, shape)

    def rsample(self, key, shape=()):
        return self.base_dist.rsample(key, shape)

    def log_prob(self, value):
        return sum_rightmost(self.base_dist.log_prob(value), self.reinterpreted_batch_ndims)

    def entropy(self):
        return sum_rightmost(self.base_dist.entropy(), self.reinterpreted_batch_ndims)

    def divergence(self, other):
        if self.reinterpreted_batch_ndims != other.reinterpreted_batch_ndims:
            raise NotImplementedError("a divergence between different numbers of reinterpreted axes")
        return sum_rightmost(self.base_dist.kl_divergence(other.base_dist), self.reinterpreted_batch_ndims)


class MixtureSameFamily(Distribution):
    """A mixture along the last axis of the batch of `component_distribution`."""

    def __init__(self, mixture_distribution, component_distribution):
        self.mixture_distribution, self.component_distribution = mixture_distribution, component_distribution

    batch_shape = property(lambda self: self.component_distribution.batch_shape[:-1])
    event_shape = property(lambda self: self.component_distribution.event_shape)

    def weights(self):
        return self.mixture_distribution.probs.reshape(
            *self.mixture_distribution.probs.shape, *(1 for _ in self.event_shape)
        )

    def over_components(self, values):
        """Values with an axis for the components."""
        return jnp.expand_dims(values, -1 - len(self.event_shape))

    @property
    def mean(self):
        return (self.weights() * self.component_distribution.mean).sum(-1 - len(self.event_shape))

    @property
    def variance(self):
        parts = self.component_distribution
        inside, means = self.weights() * parts.variance, parts.mean - self.over_components(self.mean)
        return (inside + self.weights() * means**2).sum(-1 - len(self.event_shape))

    def sample(self, key, shape=()):
        index_key, key = jax.random.split(key)
        index = self.mixture_distribution.sample(index_key, shape)
        index = index.reshape(*index.shape, *(1 for _ in range(1 + len(self.event_shape))))
        draws = self.component_distribution.sample(key, shape)
        return jnp.take_along_axis(draws, index, -1 - len(self.event_shape)).squeeze(-1 - len(self.event_shape))

    def log_prob(self, value):
        parts = self.component_distribution.log_prob(self.over_components(value))
        return jax.nn.logsumexp(parts + jax.nn.log_softmax(self.mixture_distribution.logits), axis=-1)

    def cdf(self, value):
        parts = self.component_distribution.cdf(self.over_components(value))
        return (parts * self.mixture_distribution.probs).sum(-1)


class TransformedDistribution(Distribution):
    """What transforms of real numbers, one after another, make of draws from `base_dist`."""

    def __init__(self, base_distribution, transforms):
        self.base_dist = base_distribution
        self.transforms = list(transforms) if isinstance(transforms, (list, tuple)) else [transforms]
        if any(transform.event_dim for transform in self.transforms):
            raise NotImplementedError("a TransformedDistribution with a transform of vectors")

    @property
    def batch_shape(self):
        leaves = [leaf for leaf in jax.tree.leaves(self.transforms) if not hasattr(leaf, "log_abs_det_jacobian")]
        parameters = [jnp.shape(leaf) for leaf in leaves]  # of the program's own transforms nothing is known
        shape = jnp.broadcast_shapes((*self.base_dist.batch_shape, *self.event_shape), *parameters)
        return shape[: len(shape) - len(self.event_shape)]

    event_shape = property(lambda self: self.base_dist.event_shape)

    def sample(self, key, shape=()):
        value = self._widened().base_dist.sample(key, shape)
        for transform in self.transforms:
            value = transform.remember(value, jax.lax.stop_gradient(transform.forward(value)))
        return value

    def rsample(self, key, shape=()):
        value = self._widened().base_dist.rsample(key, shape)
        for transform in self.transforms:
            value = transform(value)
        return value

    def _widened(self):
        """As many draws of the base as the transforms have parameters."""
        return TransformedDistribution(self.base_dist.expand(self.batch_shape), self.transforms)

    def log_prob(self, value):
        total, ndims = 0, len(self.event_shape)
        for transform in reversed(self.transforms):
            before = transform.inv(value)
            total = total - sum_rightmost(transform.log_abs_det_jacobian(before, value), ndims)
            value = before
        return total + self.base_dist.log_prob(value)

    def cdf(self, value):
        sign = 1
        for transform in reversed(self.transforms):
            value, sign = transform.inv(value), sign * transform.sign
        return sign * (self.base_dist.cdf(value) - 0.5) + 0.5

    def icdf(self, value):
        for transform in self.transforms:
            value = transform.sign * (value - 0.5) + 0.5
        value = self.base_dist.icdf(value)
        for transform in self.transforms:
            value = transform(value)
        return value

    def expand(self, shape):
        return TransformedDistribution(self.base_dist.expand(shape), self.transforms)


class Transform(Fields):
    """torch.distributions.Transform: element by element, with a `cache_size` the inverse of the last result is exact.

    As in torch, the result itself must be handed back, not a copy: what crosses the border of a jitted function is one.
    """

    static = ("cache_size",)
    sign = 1
    event_dim = 0
    cached = (None, None)

    def __init__(self, cache_size=0):
        self.cache_size = cache_size

    def __call__(self, x):
        return self.cached[1] if x is self.cached[0] else self.remember(x, self.forward(x))

    def inv(self, y):
        if y is self.cached[1]:
            return self.cached[0]
        x = self.inverse(y)
        self.remember(x, y)
        return x

    def remember(self, x, y):
        """Keep a pair of values, and give back the second."""
        if self.cache_size:
            self.cached = (x, y)
        return y


class AffineTransform(Transform):
    """torch.distributions.transforms.AffineTransform."""

    def __init__(self, loc, scale, cache_size=0):
        self.loc, self.scale, self.cache_size = loc, scale, cache_size

    sign = property(lambda self: jnp.sign(self.scale))

    def forward(self, x):
        return self.loc + self.scale * x

    def inverse(self, y):
        return (y - self.loc) / self.scale

    def log_abs_det_jacobian(self, x, y):
        return jnp.broadcast_to(jnp.log(jnp.abs(self.scale)), jnp.broadcast_shapes(x.shape, jnp.shape(self.scale)))


class ExpTransform(Transform):
    """torch.distributions.transforms.ExpTransform."""

    def forward(self, x):
        return jnp.exp(x)

    def inverse(self, y):
        return jnp.log(y)

    def log_abs_det_jacobian(self, x, y):
        return x


class SigmoidTransform(Transform):
    """torch.distributions.transforms.SigmoidTransform."""

    def forward(self, x):
        info = jnp.finfo(x.dtype)
        return jnp.clip(jax.nn.sigmoid(x), info.tiny, 1 - info.eps)

    def inverse(self, y):
        info = jnp.finfo(y.dtype)
        y = jnp.clip(y, info.tiny, 1 - info.eps)
        return jnp.log(y) - jnp.log1p(-y)

    def log_abs_det_jacobian(self, x, y):
        return -jax.nn.softplus(-x) - jax.nn.softplus(x)


class TanhTransform(Transform):
    """torch.distributions.transforms.TanhTransform."""

    def forward(self, x):
        return jnp.tanh(x)

    def inverse(self, y):
        return jnp.arctanh(y)

    def log_abs_det_jacobian(self, x, y):
        return 2 * (math.log(2) - x - jax.nn.softplus(-2 * x))


class SoftplusTransform(Transform):
    """torch.distributions.transforms.SoftplusTransform."""

    def forward(self, x):
        return jax.nn.softplus(x)

    def inverse(self, y):
        return jnp.log(-jnp.expm1(-y)) + y

    def log_abs_det_jacobian(self, x, y):
        return -jax.nn.softplus(-x)


class PowerTransform(Transform):
    """torch.distributions.transforms.PowerTransform."""

    def __init__(self, exponent, cache_size=0):
        self.exponent, self.cache_size = exponent, cache_size

    sign = property(lambda self: jnp.sign(self.exponent))

    def forward(self, x):
        return x**self.exponent

    def inverse(self, y):
        return y ** (1 / self.exponent)

    def log_abs_det_jacobian(self, x, y):
        return jnp.log(jnp.abs(self.exponent * y / x))


class ComposeTransform(Transform):
    """torch.distributions.transforms.ComposeTransform."""

    def __init__(self, parts, cache_size=0):
        self.parts, self.cache_size = list(parts), cache_size

    sign = property(lambda self: math.prod(part.sign for part in self.parts))
    event_dim = property(lambda self: max((part.event_dim for part in self.parts), default=0))

    def forward(self, x):
        for part in self.parts:
            x = part(x)
        return x

    def inverse(self, y):
        for part in reversed(self.parts):
            y = part.inv(y)
        return y

    def log_abs_det_jacobian(self, x, y):
        total = 0
        for part in self.parts:
            after = part(x)
            total, x = total + part.log_abs_det_jacobian(x, after), after
        return total
