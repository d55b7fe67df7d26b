"""Layers of torch.nn as modules of Flax Linen, with torch's parameters: their names, their layout, and how they start."""

import math
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
from flax import linen as nn

from torch2jax.runtime.activations import alpha_dropout, dropout, dropout_channels, prelu, rrelu
from torch2jax.runtime.functional import embedding, linear
from torch2jax.runtime.functional_ops import embedding_bag, feature_alpha_dropout
from torch2jax.runtime.linen_modules import is_training
from torch2jax.runtime.pooling import max_unpool
from torch2jax.runtime.resampling import interpolate


def uniform(bound):
    """An initializer that draws uniformly from -bound to bound."""
    return lambda key, shape, dtype=None: jax.random.uniform(key, shape, dtype or float, -bound, bound)


def of_any_shape(module, name, init, *args):
    """A parameter that may later be given another shape, which `module.param` refuses."""
    return module.variable("params", name, lambda: init(module.make_rng("params"), *args)).value


class Linear(nn.Module):
    """torch.nn.Linear: `weight` is (out, in)."""

    in_features: int
    out_features: int
    use_bias: bool = True
    dtype: Any = None

    def setup(self):
        init = uniform(1 / math.sqrt(self.in_features) if self.in_features else 0)
        shape = (self.out_features, self.in_features)
        self.weight = of_any_shape(self, "weight", init, shape, self.dtype)
        self.bias = of_any_shape(self, "bias", init, shape[:1], self.dtype) if self.use_bias else None

    def __call__(self, x):
        return linear(x, self.weight, self.bias)


class Bilinear(nn.Module):
    """torch.nn.Bilinear: `weight` is (out, in1, in2)."""

    in1_features: int
    in2_features: int
    out_features: int
    use_bias: bool = True

    def setup(self):
        init = uniform(1 / math.sqrt(self.in1_features))
        self.weight = self.param("weight", init, (self.out_features, self.in1_features, self.in2_features))
        self.bias = self.param("bias", init, (self.out_features,)) if self.use_bias else None

    def __call__(self, x1, x2):
        y = jnp.einsum("...i,oij,...j->...o", x1, self.weight, x2)
        return y if self.bias is None else y + self.bias


class Embedding(nn.Module):
    """torch.nn.Embedding: the row `padding_idx` starts at zero and gets no gradient."""

    num_embeddings: int
    embedding_dim: int
    padding_idx: int | None = None
    dtype: Any = None

    def setup(self):
        self.skipped = None if self.padding_idx is None else self.padding_idx % self.num_embeddings
        self.weight = of_any_shape(self, "weight", self.first)

    def first(self, key):
        """The matrix that it starts from."""
        weight = jax.random.normal(key, (self.num_embeddings, self.embedding_dim), self.dtype or float)
        return weight if self.padding_idx is None else weight.at[self.padding_idx].set(0)

    def __call__(self, x):
        return embedding(x, self.weight, self.skipped)


class PretrainedEmbedding(nn.Module):
    """torch.nn.Embedding.from_pretrained of a matrix that is trained further."""

    matrix: jax.Array

    def setup(self):
        self.weight = of_any_shape(self, "weight", lambda key: self.matrix)

    def __call__(self, x):
        return embedding(x, self.weight)


class EmbeddingBag(nn.Module):
    """torch.nn.EmbeddingBag: the sum, mean or maximum of the embeddings of each bag; `padding_idx` does not count."""

    num_embeddings: int
    embedding_dim: int
    mode: str = "mean"
    include_last_offset: bool = False
    padding_idx: int | None = None

    def setup(self):
        self.skipped = None if self.padding_idx is None else self.padding_idx % self.num_embeddings
        self.weight = self.param("weight", self.first)

    def first(self, key):
        """The matrix that it starts from."""
        weight = jax.random.normal(key, (self.num_embeddings, self.embedding_dim))
        return weight if self.padding_idx is None else weight.at[self.padding_idx].set(0)

    def __call__(self, x, offsets=None, per_sample_weights=None):
        options = (self.mode, per_sample_weights, self.include_last_offset, self.skipped)
        return embedding_bag(x, self.weight, offsets, *options)


class PReLU(nn.Module):
    """torch.nn.PReLU."""

    num_parameters: int = 1
    init_value: float = 0.25

    def setup(self):
        self.weight = self.param("weight", nn.initializers.constant(self.init_value), (self.num_parameters,))

    def __call__(self, x):
        return prelu(x, self.weight)


class MaxUnpool(nn.Module):
    """torch.nn.MaxUnpool1d, 2d and 3d."""

    kernel_size: Any
    stride: Any = None
    padding: Any = 0
    ndim: int = 2

    def __call__(self, x, indices, output_size=None):
        return max_unpool(x, indices, self.kernel_size, self.stride, self.padding, output_size, self.ndim)


class Upsample(nn.Module):
    """torch.nn.Upsample."""

    size: Any = None
    scale_factor: Any = None
    mode: str = "nearest"
    align_corners: bool | None = None
    recompute_scale_factor: bool | None = None

    def __call__(self, x):
        return interpolate(x, self.size, self.scale_factor, self.mode, self.align_corners, self.recompute_scale_factor)


class FunctionLayer(nn.Module):
    """A layer of torch.nn that is nothing but a function, as a module that is listed among the parts of others."""

    function: Callable

    def __call__(self, x):
        return self.function(x)


class Dropout(nn.Module):
    """torch.nn.Dropout."""

    p: float = 0.5

    def __call__(self, x):
        return dropout(x, self.p, key=self.make_rng("dropout")) if is_training(self) else x


class AlphaDropout(nn.Module):
    """torch.nn.AlphaDropout: dropped entries take SELU's lower bound; mean and variance are kept."""

    p: float = 0.5

    def __call__(self, x):
        return alpha_dropout(x, self.p, key=self.make_rng("dropout")) if is_training(self) else x


class FeatureAlphaDropout(nn.Module):
    """torch.nn.FeatureAlphaDropout: whole channels take SELU's lower bound; mean and variance are kept."""

    p: float = 0.5

    def __call__(self, x):
        return feature_alpha_dropout(x, self.p, key=self.make_rng("dropout")) if is_training(self) else x


class ChannelDropout(nn.Module):
    """torch.nn.Dropout2d on a batch: whole channels are dropped."""

    p: float = 0.5

    def __call__(self, x):
        return dropout_channels(x, self.p, key=self.make_rng("dropout")) if is_training(self) else x


class FeatureDropout(nn.Module):
    """torch.nn.Dropout1d and Dropout3d: whole channels are dropped; the batch axis may be missing."""

    p: float = 0.5
    ndim: int = 1

    def __call__(self, x):
        if x.ndim == self.ndim + 1:
            return self(x[None])[0]
        return dropout_channels(x, self.p, key=self.make_rng("dropout")) if is_training(self) else x


class RReLU(nn.Module):
    """torch.nn.RReLU: random slopes for negative entries, their mean in evaluation."""

    lower: float = 1 / 8
    upper: float = 1 / 3

    def __call__(self, x):
        return rrelu(x, self.lower, self.upper, key=self.make_rng("dropout") if is_training(self) else None)
