"""Layers of Flax NNX whose weight is computed from other parameters: torch's weight_norm and spectral_norm."""

import copy

import jax
import jax.numpy as jnp
from flax import nnx

from torch2jax.runtime.nnx_convolution import ConvTranspose
from torch2jax.runtime.reparametrization import norm_except, power_iterations, unit_vector


def weight_module(factors):
    """torch's `parametrizations`: a module that holds what the weight is computed from."""
    return nnx.Dict(weight=nnx.Dict(factors))


class Reparametrized(nnx.Module):
    """A layer without its weight, and the parameters that the weight is computed from."""

    unnamed = ("layer",)  # torch's names of parameters leave it out

    @property
    def __class__(self):
        """As in torch, it is a layer of its class: `isinstance(layer, Conv1d)`."""
        return type(self.layer) if "layer" in vars(self) else type(self)

    def __getattr__(self, name):
        if name.startswith("_") or name == "weight" or "layer" not in vars(self):
            raise AttributeError(name)
        return getattr(self.layer, name)

    def with_weight(self, weight):
        """A layer that shares everything with the plain one, and has a weight."""
        layer = copy.copy(self.layer)
        layer.weight = weight
        return layer

    def plain(self):
        """The layer with its weight as a parameter, without the parameters that it is computed from."""
        return self.with_weight(self.weight)


class WeightNorm(Reparametrized):
    """A layer under torch's weight_norm: its weight has the direction of one parameter and the norm of another."""

    def __init__(self, layer, dim, parametrized=False):
        v = layer.weight[...]
        self.layer, self.dim, self.parametrized = layer, dim, parametrized
        layer.weight = nnx.data(None)
        g, v = nnx.Param(norm_except(v, dim)), nnx.Param(v)
        if parametrized:
            self.parametrizations = weight_module({"original0": g, "original1": v})
        else:
            self.weight_g, self.weight_v = g, v

    @property
    def weight(self):
        """The weight that the layer computes with: as in torch, another value in its place has no effect."""
        if self.parametrized:
            factors = self.parametrizations["weight"]
            g, v = factors["original0"][...], factors["original1"][...]
        else:
            g, v = self.weight_g[...], self.weight_v[...]
        return nnx.Param(v * (g / norm_except(v, self.dim)))

    def __call__(self, x):
        return self.plain()(x)


def weight_norm(layer, dim=0):
    """torch.nn.utils.weight_norm, with the parameters `weight_g` and `weight_v`."""
    return WeightNorm(layer, dim)


def parametrized_weight_norm(layer, dim=0):
    """torch.nn.utils.parametrizations.weight_norm, with parameters below `parametrizations.weight`."""
    return WeightNorm(layer, dim, parametrized=True)


def remove_weight_norm(layer):
    """torch.nn.utils.remove_weight_norm, parametrize.remove_parametrizations: the layer with the weight as it is now."""
    return layer.plain()


class SpectralNorm(Reparametrized):
    """A layer under torch's spectral_norm: its weight is a parameter over its largest singular value, which each call in
    training estimates better."""

    def __init__(self, layer, n_power_iterations, eps, dim, parametrized, *, rngs):
        self.dim = int(isinstance(layer, ConvTranspose)) if dim is None else dim
        self.n_power_iterations, self.eps, self.parametrized = n_power_iterations, eps, parametrized
        weight = layer.weight[...]
        self.layer, self.deterministic = layer, False
        layer.weight = nnx.data(None)
        rows, columns = self.matrix(weight).shape
        u = unit_vector(jax.random.normal(rngs.params(), (rows,)), eps)
        v = unit_vector(jax.random.normal(rngs.params(), (columns,)), eps)
        if parametrized:
            u, v = power_iterations(self.matrix(weight), u, v, 15 + n_power_iterations, eps, True)
            original = nnx.Param(weight)
            vectors = nnx.Dict(_u=nnx.BatchStat(u), _v=nnx.BatchStat(v))
            self.parametrizations = weight_module({"original": original, "0": vectors})
        else:
            self.weight_orig, self.weight_u, self.weight_v = nnx.Param(weight), nnx.BatchStat(u), nnx.BatchStat(v)

    def factors(self):
        """The parameter, and the singular vectors."""
        if not self.parametrized:
            return self.weight_orig, self.weight_u, self.weight_v
        parts = self.parametrizations["weight"]
        return parts["original"], parts["0"]["_u"], parts["0"]["_v"]

    def plain(self):
        """The layer with a copy of the parameter in the place of its weight."""
        return self.with_weight(nnx.Param(self.factors()[0][...]))

    @property
    def weight(self):
        """The weight over its largest singular value as it is now: as in torch, another value in its place has no effect."""
        weight, u, v = (factor[...] for factor in self.factors())
        return nnx.Param(weight / (u @ (self.matrix(weight) @ v)))

    def matrix(self, weight):
        """The weight with `dim` as its rows and all other axes as columns."""
        return jnp.moveaxis(weight, self.dim, 0).reshape(weight.shape[self.dim], -1)

    def __call__(self, x):
        weight, u, v = self.factors()
        if not self.deterministic:
            u[...], v[...] = power_iterations(
                self.matrix(weight[...]), u[...], v[...], self.n_power_iterations, self.eps, self.parametrized
            )
        return self.with_weight(self.weight)(x)


def spectral_norm(layer, n_power_iterations=1, eps=1e-12, dim=None, *, rngs):
    """torch.nn.utils.spectral_norm, with the parameter `weight_orig`."""
    return SpectralNorm(layer, n_power_iterations, eps, dim, False, rngs=rngs)


def parametrized_spectral_norm(layer, n_power_iterations=1, eps=1e-12, dim=None, *, rngs):
    """torch.nn.utils.parametrizations.spectral_norm, with the parameter `parametrizations.weight.original`."""
    return SpectralNorm(layer, n_power_iterations, eps, dim, True, rngs=rngs)
