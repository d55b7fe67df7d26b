"""torch.distributions.transforms of vectors and matrices."""

import jax
import jax.numpy as jnp

from torch2jax.runtime.distributions_joint import Transform


class SoftmaxTransform(Transform):
    """torch.distributions.transforms.SoftmaxTransform, whose inverse is one of many."""

    event_dim = 1

    def forward(self, x):
        return jax.nn.softmax(x, axis=-1)

    def inverse(self, y):
        return jnp.log(y)


class StickBreakingTransform(Transform):
    """torch.distributions.transforms.StickBreakingTransform: each number breaks its part of what is left."""

    event_dim = 1

    def forward(self, x):
        info = jnp.finfo(x.dtype)
        parts = jnp.clip(jax.nn.sigmoid(x - jnp.log(self._left(x))), info.tiny, 1 - info.eps)
        widths = [(0, 0)] * (x.ndim - 1)
        first = jnp.pad(parts, [*widths, (0, 1)], constant_values=1)
        return first * jnp.pad(jnp.cumprod(1 - parts, axis=-1), [*widths, (1, 0)], constant_values=1)

    def inverse(self, y):
        begun = y[..., :-1]
        left = jnp.maximum(1 - jnp.cumsum(begun, axis=-1), jnp.finfo(y.dtype).tiny)
        return jnp.log(begun) - jnp.log(left) + jnp.log(self._left(begun))

    def log_abs_det_jacobian(self, x, y):
        x = x - jnp.log(self._left(x))
        return (-x + jax.nn.log_sigmoid(x) + jnp.log(y[..., :-1])).sum(-1)

    def _left(self, x):
        """How many parts there are from each on."""
        return jnp.arange(x.shape[-1], 0, -1, dtype=x.dtype)


class LowerCholeskyTransform(Transform):
    """torch.distributions.transforms.LowerCholeskyTransform: a lower triangle with exponentials on the diagonal."""

    event_dim = 2

    def forward(self, x):
        return jnp.tril(x, -1) + self._on_diagonal(jnp.exp, x)

    def inverse(self, y):
        return jnp.tril(y, -1) + self._on_diagonal(jnp.log, y)

    def _on_diagonal(self, function, x):
        return function(jnp.diagonal(x, axis1=-2, axis2=-1))[..., None] * jnp.eye(x.shape[-1], dtype=x.dtype)


class PositiveDefiniteTransform(Transform):
    """torch.distributions.transforms.PositiveDefiniteTransform."""

    event_dim = 2

    def forward(self, x):
        factor = LowerCholeskyTransform()(x)
        return factor @ factor.mT

    def inverse(self, y):
        return LowerCholeskyTransform().inv(jnp.linalg.cholesky(y))


class CorrCholeskyTransform(Transform):
    """torch.distributions.transforms.CorrCholeskyTransform: vectors become factors of correlation matrices."""

    event_dim = 1

    def forward(self, x):
        eps = jnp.finfo(x.dtype).eps
        size = round(((8 * x.shape[-1] + 1) ** 0.5 + 1) / 2)
        rows, columns = jnp.tril_indices(size, -1)
        filled = jnp.zeros((*x.shape[:-1], size, size), x.dtype)
        filled = filled.at[..., rows, columns].set(jnp.clip(jnp.tanh(x), -1 + eps, 1 - eps))
        left = jnp.cumprod(jnp.sqrt(1 - filled**2), axis=-1)
        return (filled + jnp.eye(size, dtype=x.dtype)) * self._shifted(left)

    def inverse(self, y):
        rows, columns = jnp.tril_indices(y.shape[-1], -1)
        left = self._shifted(1 - jnp.cumsum(y * y, axis=-1))
        ratio = y[..., rows, columns] / jnp.sqrt(left[..., rows, columns])
        return (jnp.log1p(ratio) - jnp.log1p(-ratio)) / 2

    def log_abs_det_jacobian(self, x, y):
        rows, columns = jnp.tril_indices(y.shape[-1], -2)
        left = (1 - jnp.cumsum(y * y, axis=-1))[..., rows, columns]
        of_tanh = -2 * (x + jax.nn.softplus(-2 * x) - jnp.log(2.0)).sum(-1)
        return 0.5 * jnp.log(left).sum(-1) + of_tanh

    def _shifted(self, x):
        return jnp.pad(x[..., :-1], [(0, 0)] * (x.ndim - 1) + [(1, 0)], constant_values=1)
