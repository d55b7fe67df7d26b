"""Layers whose weight is computed from other parameters: torch's weight_norm and spectral_norm."""

from collections import OrderedDict

import equinox as eqx
import jax
import jax.numpy as jnp

from torch2jax.runtime.batching import batched
from torch2jax.runtime.convolution import ConvTranspose


def with_weight(layer, weight):
    """`layer` with another weight; None for a layer whose weight is computed elsewhere."""
    return eqx.tree_at(lambda layer: layer.weight, layer, weight, is_leaf=lambda x: x is None)


def norm_except(v, dim):
    """torch.norm_except_dim: the 2-norm over all axes but `dim`, or of the whole array (-1 or None)."""
    if dim is None or dim == -1:
        return jnp.sqrt((v * v).sum())
    return jnp.sqrt((v * v).sum([axis for axis in range(v.ndim) if axis != dim], keepdims=True))


class Reparametrized(eqx.Module):
    """A layer without its weight, and the parameters that the weight is computed from."""

    layer: eqx.Module = eqx.field(metadata={"torch_name": ""})
    factors: OrderedDict = eqx.field(metadata={"torch_name": ""})

    def with_plain(self, layer):
        """What becomes of a change of the plain layer: its weight is computed again."""
        return eqx.tree_at(lambda norm: norm.layer, self, with_weight(layer, None))

    def __getattr__(self, name):
        if name.startswith("__") or name == "weight" or "layer" not in vars(self):
            raise AttributeError(name)
        factors = vars(self).get("factors", {})
        return factors[name] if name in factors else getattr(self.layer, name)


class WeightNorm(Reparametrized):
    """A layer under torch's weight_norm: its weight has the direction of one parameter and the norm of another."""

    dim: int | None = eqx.field(static=True)

    def __init__(self, layer, dim, name):
        v = layer.weight
        self.layer, self.dim = with_weight(layer, None), dim
        self.factors = name(norm_except(v, dim), jnp.array(v))

    @property
    def weight(self):
        """The weight that the layer computes with."""
        g, v = jax.tree.leaves(self.factors)
        return v * (g / norm_except(v, self.dim))

    def plain(self):
        """The layer with its weight, without the parameters that it is computed from."""
        return with_weight(self.layer, self.weight)

    def __call__(self, x, *, key=None):
        return batched(self.plain())(x, key=key)


def weight_norm(layer, dim=0):
    """torch.nn.utils.weight_norm, with the parameters `weight_g` and `weight_v`."""
    return WeightNorm(layer, dim, lambda g, v: OrderedDict(weight_g=g, weight_v=v))


def parametrized_weight_norm(layer, dim=0):
    """torch.nn.utils.parametrizations.weight_norm, with parameters below `parametrizations.weight`."""
    nested = lambda parts: OrderedDict(parametrizations=OrderedDict(weight=parts))
    return WeightNorm(layer, dim, lambda g, v: nested(OrderedDict(original0=g, original1=v)))


def remove_weight_norm(layer):
    """torch.nn.utils.remove_weight_norm, parametrize.remove_parametrizations: the layer with the weight as it is now."""
    return layer.plain()


def unit_vector(x, eps):
    """`x` over its 2-norm, which is bounded below by `eps`."""
    return x / jnp.maximum(jnp.sqrt((x * x).sum()), eps)


def power_iterations(matrix, u, v, count, eps, left_first):
    """The singular vectors of a matrix after `count` power iterations, of which the left one may come first."""
    matrix = jax.lax.stop_gradient(matrix)
    for _ in range(count):
        if left_first:
            u = unit_vector(matrix @ v, eps)
        v = unit_vector(matrix.T @ u, eps)
        if not left_first:
            u = unit_vector(matrix @ v, eps)
    return u, v


class SpectralNorm(Reparametrized, eqx.nn.StatefulLayer):
    """A layer under torch's spectral_norm, called `y, state = layer(x, state)`: its weight is a parameter over its largest
    singular value, which each call in training estimates better."""

    dim: int = eqx.field(static=True)
    n_power_iterations: int = eqx.field(static=True)
    eps: float = eqx.field(static=True)
    left_first: bool = eqx.field(static=True)
    inference: bool

    def __init__(self, layer, name, n_power_iterations, eps, dim, left_first, warm_up, *, key):
        self.dim = int(isinstance(layer, (ConvTranspose, eqx.nn.ConvTranspose))) if dim is None else dim
        self.n_power_iterations, self.eps, self.left_first = n_power_iterations, eps, left_first
        weight = jnp.array(layer.weight)
        self.layer, self.inference = with_weight(layer, None), False
        u_key, v_key = jax.random.split(key)
        rows, columns = self.matrix(weight).shape
        u = unit_vector(jax.random.normal(u_key, (rows,)), eps)
        v = unit_vector(jax.random.normal(v_key, (columns,)), eps)
        u, v = self.iterate(self.matrix(weight), u, v, warm_up)
        self.factors = name(weight, eqx.nn.StateIndex(u), eqx.nn.StateIndex(v))

    def plain(self):
        """The layer with a copy of the parameter in the place of its weight."""
        return with_weight(self.layer, jnp.array(jax.tree.leaves(self.factors)[0]))

    def matrix(self, weight):
        """The weight with `dim` as its rows and all other axes as columns."""
        return jnp.moveaxis(weight, self.dim, 0).reshape(weight.shape[self.dim], -1)

    def iterate(self, matrix, u, v, count):
        """The singular vectors after `count` power iterations."""
        return power_iterations(matrix, u, v, count, self.eps, self.left_first)

    def __call__(self, x, state, *, key=None):
        is_index = lambda leaf: isinstance(leaf, eqx.nn.StateIndex)
        weight, u_index, v_index = jax.tree.leaves(self.factors, is_leaf=is_index)
        matrix, u, v = self.matrix(weight), state.get(u_index), state.get(v_index)
        if not self.inference:
            u, v = self.iterate(matrix, u, v, self.n_power_iterations)
            state = state.set(u_index, u).set(v_index, v)
        layer = with_weight(self.layer, weight / (u @ (matrix @ v)))
        return batched(layer)(x, key=key), state


def spectral_norm(layer, n_power_iterations=1, eps=1e-12, dim=None, *, key):
    """torch.nn.utils.spectral_norm, with the parameter `weight_orig`."""
    name = lambda w, u, v: OrderedDict(weight_orig=w, weight_u=u, weight_v=v)
    return SpectralNorm(layer, name, n_power_iterations, eps, dim, False, 0, key=key)


def parametrized_spectral_norm(layer, n_power_iterations=1, eps=1e-12, dim=None, *, key):
    """torch.nn.utils.parametrizations.spectral_norm, with the parameter `parametrizations.weight.original`."""

    def name(weight, u, v):
        parts = OrderedDict([("original", weight), ("0", OrderedDict(_u=u, _v=v))])
        return OrderedDict(parametrizations=OrderedDict(weight=parts))

    return SpectralNorm(layer, name, n_power_iterations, eps, dim, True, 15 + n_power_iterations, key=key)
