"""Layers of torch.nn as modules of Flax NNX, with torch's parameters: their names, their layout, and how they start."""

import math

import jax
import jax.numpy as jnp
from flax import nnx

from torch2jax.runtime.activations import prelu
from torch2jax.runtime.functional import embedding, linear
from torch2jax.runtime.functional_ops import embedding_bag
from torch2jax.runtime.pooling import max_unpool
from torch2jax.runtime.resampling import interpolate


def uniform_param(rngs, shape, bound, dtype=None):
    """A parameter drawn uniformly from -bound to bound."""
    return nnx.Param(jax.random.uniform(rngs.params(), shape, dtype or float, -bound, bound))


def value_of(variable):
    """The array of a parameter or buffer; None for one that is absent."""
    return None if variable is None else variable[...]


class Linear(nnx.Module):
    """torch.nn.Linear: `weight` is (out, in)."""

    def __init__(self, in_features, out_features, bias=True, dtype=None, *, rngs):
        bound = 1 / math.sqrt(in_features) if in_features else 0
        self.weight = uniform_param(rngs, (out_features, in_features), bound, dtype)
        self.bias = uniform_param(rngs, (out_features,), bound, dtype) if bias else nnx.data(None)
        self.in_features, self.out_features = in_features, out_features

    def __call__(self, x):
        return linear(x, self.weight[...], value_of(self.bias))


class Bilinear(nnx.Module):
    """torch.nn.Bilinear: `weight` is (out, in1, in2)."""

    def __init__(self, in1_features, in2_features, out_features, bias=True, *, rngs):
        bound = 1 / math.sqrt(in1_features)
        self.weight = uniform_param(rngs, (out_features, in1_features, in2_features), bound)
        self.bias = uniform_param(rngs, (out_features,), bound) if bias else nnx.data(None)
        self.in1_features, self.in2_features, self.out_features = in1_features, in2_features, out_features

    def __call__(self, x1, x2):
        y = jnp.einsum("...i,oij,...j->...o", x1, self.weight[...], x2)
        return y if self.bias is None else y + self.bias[...]


class Embedding(nnx.Module):
    """torch.nn.Embedding: the row `padding_idx` starts at zero and gets no gradient."""

    def __init__(self, num_embeddings, embedding_dim, padding_idx=None, dtype=None, *, rngs):
        weight = jax.random.normal(rngs.params(), (num_embeddings, embedding_dim), dtype or float)
        self.padding_idx = None if padding_idx is None else padding_idx % num_embeddings
        self.weight = nnx.Param(weight if padding_idx is None else weight.at[self.padding_idx].set(0))
        self.num_embeddings, self.embedding_dim = num_embeddings, embedding_dim

    def __call__(self, x):
        return embedding(x, self.weight[...], self.padding_idx)


def embedding_from(weight, *, rngs):
    """torch.nn.Embedding.from_pretrained of a matrix that is trained further."""
    layer = Embedding(*weight.shape, rngs=rngs)
    layer.weight = nnx.Param(weight)
    return layer


class EmbeddingBag(nnx.Module):
    """torch.nn.EmbeddingBag: the sum, mean or maximum of the embeddings of each bag; `padding_idx` does not count."""

    def __init__(
        self, num_embeddings, embedding_dim, mode="mean", include_last_offset=False, padding_idx=None, *, rngs
    ):
        weight = jax.random.normal(rngs.params(), (num_embeddings, embedding_dim))
        self.padding_idx = None if padding_idx is None else padding_idx % num_embeddings
        self.weight = nnx.Param(weight if padding_idx is None else weight.at[self.padding_idx].set(0))
        self.mode, self.include_last_offset = mode, include_last_offset
        self.num_embeddings, self.embedding_dim = num_embeddings, embedding_dim

    def __call__(self, x, offsets=None, per_sample_weights=None):
        options = (self.mode, per_sample_weights, self.include_last_offset, self.padding_idx)
        return embedding_bag(x, self.weight[...], offsets, *options)


class PReLU(nnx.Module):
    """torch.nn.PReLU."""

    def __init__(self, num_parameters=1, init=0.25):
        self.weight = nnx.Param(jnp.full(num_parameters, init))

    def __call__(self, x):
        return prelu(x, self.weight[...])


class MaxUnpool(nnx.Module):
    """torch.nn.MaxUnpool1d, 2d and 3d."""

    def __init__(self, kernel_size, stride=None, padding=0, ndim=2):
        self.kernel_size, self.stride, self.padding, self.ndim = kernel_size, stride, padding, ndim

    def __call__(self, x, indices, output_size=None):
        return max_unpool(x, indices, self.kernel_size, self.stride, self.padding, output_size, self.ndim)


class Upsample(nnx.Module):
    """torch.nn.Upsample."""

    def __init__(self, size=None, scale_factor=None, mode="nearest", align_corners=None, recompute_scale_factor=None):
        self.size, self.scale_factor, self.mode = size, scale_factor, mode
        self.align_corners, self.recompute_scale_factor = align_corners, recompute_scale_factor

    def __call__(self, x):
        return interpolate(x, self.size, self.scale_factor, self.mode, self.align_corners, self.recompute_scale_factor)


class Identity(nnx.Module):
    """torch.nn.Identity: a module, since it often takes the place of one."""

    def __call__(self, x):
        return x


class FunctionLayer(nnx.Module):
    """A layer of torch.nn that is nothing but a function, as a module that is listed among the parts of others."""

    def __init__(self, function):
        self.function = function

    def __call__(self, x):
        return self.function(x)


class Sequential(nnx.List):
    """torch.nn.Sequential: a list of layers that is called with what the first one takes."""

    def __init__(self, *layers):
        super().__init__(layers)

    def __setitem__(self, index, layer):
        if isinstance(index, int):
            delattr(self, str(range(len(self))[index]))  # a function may give way to a module
        super().__setitem__(index, layer)

    def __getitem__(self, index):
        return Sequential(*super().__getitem__(index)) if isinstance(index, slice) else super().__getitem__(index)

    def __call__(self, x):
        for layer in self:
            x = layer(x)
        return x


class NamedSequential(nnx.Module):
    """torch.nn.Sequential of an OrderedDict: a sequence whose layers have names."""

    def __init__(self, layers):
        self.names = tuple(layers)
        for name, layer in layers.items():
            setattr(self, name, layer)

    def __iter__(self):
        return (getattr(self, name) for name in self.names)

    def __len__(self):
        return len(self.names)

    def __getitem__(self, index):
        if isinstance(index, slice):
            return NamedSequential({name: getattr(self, name) for name in self.names[index]})
        return getattr(self, self.names[index])

    def __call__(self, x):
        for layer in self:
            x = layer(x)
        return x


class AdaptiveLogSoftmaxWithLoss(nnx.Module):
    """torch.nn.AdaptiveLogSoftmaxWithLoss: frequent classes and clusters of rare ones, called `(outputs, loss) = layer(x, y)`."""

    def __init__(self, in_features, n_classes, cutoffs, div_value=4.0, head_bias=False, *, rngs):
        self.cutoffs = (*cutoffs, n_classes)
        self.head = Linear(in_features, cutoffs[0] + len(cutoffs), bias=head_bias, rngs=rngs)
        self.tail = nnx.List()
        for number in range(len(cutoffs)):
            width, size = int(in_features // div_value ** (number + 1)), self.cutoffs[number + 1] - self.cutoffs[number]
            first = Linear(in_features, width, bias=False, rngs=rngs)
            self.tail.append(Sequential(first, Linear(width, size, bias=False, rngs=rngs)))

    def log_prob(self, x):
        """The log-probabilities of all classes."""
        head = jax.nn.log_softmax(self.head(x), axis=-1)
        parts = [head[..., : self.cutoffs[0]]]
        for number, cluster in enumerate(self.tail):
            inside = jax.nn.log_softmax(cluster(x), axis=-1)
            parts.append(inside + head[..., self.cutoffs[0] + number, None])
        return jnp.concatenate(parts, axis=-1)

    def __call__(self, x, targets):
        outputs = jnp.take_along_axis(self.log_prob(x), targets[..., None], axis=-1)[..., 0]
        return outputs, -outputs.mean()
