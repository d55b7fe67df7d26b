"""Small layers of torch.nn that Equinox lacks or defines differently."""

import math

import equinox as eqx
import jax
import jax.numpy as jnp

from torch2jax.runtime.activations import alpha_dropout, dropout_channels, rrelu
from torch2jax.runtime.batching import batched
from torch2jax.runtime.functional_ops import feature_alpha_dropout
from torch2jax.runtime.pooling import (
    fractional_max_pool,
    fractional_max_pool_with_indices,
    max_pool_with_indices,
    max_unpool,
)
from torch2jax.runtime.resampling import pad


class Bilinear(eqx.Module):
    """torch.nn.Bilinear: `weight` is (out, in1, in2)."""

    weight: jax.Array
    bias: jax.Array | None

    def __init__(self, in1_features, in2_features, out_features, bias=True, *, key):
        limit = 1 / math.sqrt(in1_features)
        weight_key, bias_key = jax.random.split(key)
        shape = (out_features, in1_features, in2_features)
        self.weight = jax.random.uniform(weight_key, shape, minval=-limit, maxval=limit)
        self.bias = jax.random.uniform(bias_key, (out_features,), minval=-limit, maxval=limit) if bias else None

    def __call__(self, x1, x2, *, key=None):
        y = jnp.einsum("...i,oij,...j->...o", x1, self.weight, x2)
        return y if self.bias is None else y + self.bias


class PaddedEmbedding(eqx.nn.Embedding):
    """torch.nn.Embedding with `padding_idx`: that row starts at zero and gets no gradient."""

    padding_idx: int = eqx.field(static=True)

    def __init__(self, num_embeddings, embedding_dim, padding_idx, dtype=None, *, key):
        super().__init__(num_embeddings, embedding_dim, dtype=dtype, key=key)
        self.padding_idx = padding_idx % num_embeddings
        self.weight = self.weight.at[self.padding_idx].set(0)

    def __call__(self, x, *, key=None):
        frozen = jax.lax.stop_gradient(self.weight[self.padding_idx])
        return self.weight.at[self.padding_idx].set(frozen)[x]


class EmbeddingBag(eqx.Module):
    """torch.nn.EmbeddingBag: the sum, mean or maximum of the embeddings of each bag; `padding_idx` does not count."""

    weight: jax.Array
    mode: str = eqx.field(static=True)
    include_last_offset: bool = eqx.field(static=True)
    padding_idx: int | None = eqx.field(static=True)

    def __init__(self, num_embeddings, embedding_dim, mode="mean", include_last_offset=False, padding_idx=None, *, key):
        self.weight = jax.random.normal(key, (num_embeddings, embedding_dim))
        self.mode, self.include_last_offset = mode, include_last_offset
        self.padding_idx = None if padding_idx is None else padding_idx % num_embeddings
        if padding_idx is not None:
            self.weight = self.weight.at[self.padding_idx].set(0)

    def __call__(self, x, offsets=None, per_sample_weights=None, *, key=None):
        if offsets is None:
            bags, count = jnp.repeat(jnp.arange(x.shape[0]), x.shape[1]), x.shape[0]
        else:
            offsets = offsets[:-1] if self.include_last_offset else offsets
            bags, count = jnp.searchsorted(offsets, jnp.arange(x.shape[0]), side="right") - 1, offsets.shape[0]
        x = x.reshape(-1)
        y, counts = (
            self.weight[x],
            jnp.ones_like(x) if self.padding_idx is None else (x != self.padding_idx).astype(int),
        )
        if per_sample_weights is not None:
            y = y * per_sample_weights.reshape(-1, 1)
        sizes = jax.ops.segment_sum(counts, bags, count)[:, None]
        if self.mode == "max":
            y = jnp.where(counts[:, None] > 0, y, -jnp.inf)
            return jnp.where(sizes > 0, jax.ops.segment_max(y, bags, count), 0)
        total = jax.ops.segment_sum(jnp.where(counts[:, None] > 0, y, 0), bags, count)
        return total / jnp.maximum(sizes, 1) if self.mode == "mean" else total


class MaxUnpool(eqx.Module):
    """torch.nn.MaxUnpool1d, 2d and 3d."""

    kernel_size: int | tuple[int, ...] = eqx.field(static=True)
    stride: int | tuple[int, ...] | None = eqx.field(static=True, default=None)
    padding: int | tuple[int, ...] = eqx.field(static=True, default=0)
    ndim: int = eqx.field(static=True, default=2)

    def __call__(self, x, indices, output_size=None, *, key=None):
        return max_unpool(x, indices, self.kernel_size, self.stride, self.padding, output_size, self.ndim)


class AdaptiveLogSoftmaxWithLoss(eqx.Module):
    """torch.nn.AdaptiveLogSoftmaxWithLoss: frequent classes and clusters of rare ones, called `(outputs, loss) = layer(x, y)`."""

    head: eqx.nn.Linear
    tail: list[eqx.nn.Sequential]
    cutoffs: tuple[int, ...] = eqx.field(static=True)

    def __init__(self, in_features, n_classes, cutoffs, div_value=4.0, head_bias=False, *, key):
        self.cutoffs = (*cutoffs, n_classes)
        clusters = len(cutoffs)
        head_key, *keys = jax.random.split(key, 1 + 2 * clusters)
        self.head = eqx.nn.Linear(in_features, cutoffs[0] + clusters, use_bias=head_bias, key=head_key)
        self.tail = []
        for number in range(clusters):
            width, size = int(in_features // div_value ** (number + 1)), self.cutoffs[number + 1] - self.cutoffs[number]
            first = eqx.nn.Linear(in_features, width, use_bias=False, key=keys[2 * number])
            second = eqx.nn.Linear(width, size, use_bias=False, key=keys[2 * number + 1])
            self.tail.append(eqx.nn.Sequential([first, second]))

    def log_prob(self, x):
        """The log-probabilities of all classes."""
        head = jax.nn.log_softmax(batched(self.head)(x), axis=-1)
        parts = [head[..., : self.cutoffs[0]]]
        for number, cluster in enumerate(self.tail):
            inside = jax.nn.log_softmax(batched(cluster)(x), axis=-1)
            parts.append(inside + head[..., self.cutoffs[0] + number, None])
        return jnp.concatenate(parts, axis=-1)

    def __call__(self, x, targets, *, key=None):
        outputs = jnp.take_along_axis(self.log_prob(x), targets[..., None], axis=-1)[..., 0]
        return outputs, -outputs.mean()


class AlphaDropout(eqx.Module):
    """torch.nn.AlphaDropout: dropped entries take SELU's lower bound; mean and variance are kept."""

    p: float = 0.5
    inference: bool = False

    def __call__(self, x, *, key=None):
        return alpha_dropout(x, self.p, key=key, inference=self.inference)


class FeatureAlphaDropout(eqx.Module):
    """torch.nn.FeatureAlphaDropout: whole channels take SELU's lower bound; mean and variance are kept."""

    p: float = 0.5
    inference: bool = False

    def __call__(self, x, *, key=None):
        return feature_alpha_dropout(x, self.p, key=key, inference=self.inference)


class FeatureDropout(eqx.Module):
    """torch.nn.Dropout1d and Dropout3d: whole channels are dropped; the batch axis may be missing."""

    p: float = 0.5
    ndim: int = eqx.field(static=True, default=1)
    inference: bool = False

    def __call__(self, x, *, key=None):
        if x.ndim == self.ndim + 1:
            return self(x[None], key=key)[0]
        return dropout_channels(x, self.p, key=key, inference=self.inference)


class FractionalMaxPool(eqx.Module):
    """torch.nn.FractionalMaxPool2d and 3d: regions are drawn, in inference too."""

    kernel_size: int | tuple[int, ...] = eqx.field(static=True)
    output_size: int | tuple[int, ...] | None = eqx.field(static=True, default=None)
    output_ratio: float | tuple[float, ...] | None = eqx.field(static=True, default=None)
    return_indices: bool = eqx.field(static=True, default=False)
    ndim: int = eqx.field(static=True, default=2)

    def __call__(self, x, *, key):
        pool = fractional_max_pool_with_indices if self.return_indices else fractional_max_pool
        return pool(x, self.kernel_size, self.output_size, self.output_ratio, ndim=self.ndim, key=key)


class RReLU(eqx.Module):
    """torch.nn.RReLU: random slopes for negative entries, their mean in inference."""

    lower: float = 1 / 8
    upper: float = 1 / 3
    inference: bool = False

    def __call__(self, x, *, key=None):
        return rrelu(x, self.lower, self.upper, key=None if self.inference else key)


def dilated_max_pool(x, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, ndim=2):
    """torch.nn.functional.max_pool1d, 2d, 3d with dilation, for which `jax.lax.reduce_window` has no gradient."""
    return max_pool_with_indices(x, kernel_size, stride, padding, dilation, ceil_mode, ndim)[0]


def tanhshrink(x):
    """torch.nn.functional.tanhshrink."""
    return x - jnp.tanh(x)


def pad_axes(x, padding, mode="constant", value=None, ndim=1):
    """torch's padding layers: `padding` is one width, or pairs of widths from the last axis backwards."""
    return pad(x, (padding,) * (2 * ndim) if isinstance(padding, int) else tuple(padding), mode, value)


def sparse_normal(key, shape, sparsity, std=0.01, dtype=jnp.float32):
    """torch.nn.init.sparse_: normal entries, of which each column keeps all but a share `sparsity`."""
    order_key, normal_key = jax.random.split(key)
    zeros = math.ceil(sparsity * shape[0])
    rank = jnp.argsort(jnp.argsort(jax.random.uniform(order_key, shape), axis=0), axis=0)
    return jnp.where(rank < zeros, 0, std * jax.random.normal(normal_key, shape, dtype))
