"""Layers of torch.nn that draw in training, as modules of Flax NNX."""

from flax import nnx

from torch2jax.runtime.activations import alpha_dropout, dropout, dropout_channels, rrelu
from torch2jax.runtime.functional_ops import feature_alpha_dropout
from torch2jax.runtime.pooling import fractional_max_pool, fractional_max_pool_with_indices


class Drawing(nnx.Module):
    """What layers that draw in training share: a stream of keys of their own, and their mode."""

    def __init__(self, rngs):
        self.rngs, self.deterministic = rngs.dropout.fork(), False

    def key(self):
        """A key in training, None in evaluation, and where nothing is dropped."""
        return None if self.deterministic or getattr(self, "p", None) == 0 else self.rngs()


class Dropout(Drawing):
    """torch.nn.Dropout."""

    def __init__(self, p=0.5, *, rngs):
        super().__init__(rngs)
        self.p = p

    def __call__(self, x):
        return dropout(x, self.p, key=self.key(), inference=self.deterministic)


class AlphaDropout(Drawing):
    """torch.nn.AlphaDropout: dropped entries take SELU's lower bound; mean and variance are kept."""

    def __init__(self, p=0.5, *, rngs):
        super().__init__(rngs)
        self.p = p

    def __call__(self, x):
        return alpha_dropout(x, self.p, key=self.key(), inference=self.deterministic)


class FeatureAlphaDropout(Drawing):
    """torch.nn.FeatureAlphaDropout: whole channels take SELU's lower bound; mean and variance are kept."""

    def __init__(self, p=0.5, *, rngs):
        super().__init__(rngs)
        self.p = p

    def __call__(self, x):
        return feature_alpha_dropout(x, self.p, key=self.key(), inference=self.deterministic)


class ChannelDropout(Drawing):
    """torch.nn.Dropout2d on a batch: whole channels are dropped."""

    def __init__(self, p=0.5, *, rngs):
        super().__init__(rngs)
        self.p = p

    def __call__(self, x):
        return dropout_channels(x, self.p, key=self.key(), inference=self.deterministic)


class FeatureDropout(Drawing):
    """torch.nn.Dropout1d and Dropout3d: whole channels are dropped; the batch axis may be missing."""

    def __init__(self, p=0.5, ndim=1, *, rngs):
        super().__init__(rngs)
        self.p, self.ndim = p, ndim

    def __call__(self, x):
        if x.ndim == self.ndim + 1:
            return self(x[None])[0]
        return dropout_channels(x, self.p, key=self.key(), inference=self.deterministic)


class FractionalMaxPool(nnx.Module):
    """torch.nn.FractionalMaxPool2d and 3d: regions are drawn, in evaluation too."""

    def __init__(self, kernel_size, output_size=None, output_ratio=None, return_indices=False, ndim=2, *, rngs):
        self.rngs = rngs.dropout.fork()
        self.kernel_size, self.output_size, self.output_ratio = kernel_size, output_size, output_ratio
        self.return_indices, self.ndim = return_indices, ndim

    def __call__(self, x):
        pool = fractional_max_pool_with_indices if self.return_indices else fractional_max_pool
        return pool(x, self.kernel_size, self.output_size, self.output_ratio, ndim=self.ndim, key=self.rngs())


class RReLU(Drawing):
    """torch.nn.RReLU: random slopes for negative entries, their mean in evaluation."""

    def __init__(self, lower=1 / 8, upper=1 / 3, *, rngs):
        super().__init__(rngs)
        self.lower, self.upper = lower, upper

    def __call__(self, x):
        return rrelu(x, self.lower, self.upper, key=self.key())
