"""Layers of Flax Linen whose weight is computed from other parameters: torch's weight_norm and spectral_norm."""

import functools
from types import SimpleNamespace

import jax
import jax.numpy as jnp
from flax import linen as nn

from torch2jax.runtime.linen_convolution import ConvTranspose
from torch2jax.runtime.linen_modules import is_training
from torch2jax.runtime.reparametrization import norm_except, power_iterations, unit_vector


def reparametrized(layer, base, *options):
    """A layer that is not used yet, whose class becomes one with another setup: as in torch, it stays the same object."""
    if layer._state.setup_called:
        raise NotImplementedError("the layer has its weight already: it can be computed from others only before")
    object.__setattr__(layer, "__class__", class_with(type(layer), base, options))
    return layer


@functools.cache
def class_with(layer_class, base, options):
    """The class of a layer whose weight is computed; its objects are of the class of the layer, too, and have its name."""
    return type(layer_class.__name__, (base, layer_class), {"options": options, "__module__": layer_class.__module__})


class Reparametrized(nn.Module):
    """What layers have in common whose weight is computed: `own_weight` is given what makes the parameter in its place."""

    computed = ("weight",)  # what cannot be set

    @nn.nowrap
    def param(self, name, init, *args, **kwargs):
        """`self.param("weight", ...)` in the setup of the layer."""
        make = super().param
        if name != "weight":
            return make(name, init, *args, **kwargs)
        return self.own_weight(lambda name: make(name, init, *args, **kwargs), make)

    @nn.nowrap
    def variable(self, kind, name, *args, **kwargs):
        """The same for a parameter that is made as a variable."""
        make = super().variable
        if (kind, name) != ("params", "weight"):
            return make(kind, name, *args, **kwargs)
        return SimpleNamespace(
            value=self.own_weight(lambda name: make(kind, name, *args, **kwargs).value, super().param)
        )

    def setup(self):
        super().setup()
        for name, value in vars(self).pop("_factors"):
            vars(self)[name] = value  # behind the bias, as torch registers them


class WeightNorm(Reparametrized):
    """A layer under torch's weight_norm: its weight has the direction of one parameter and the norm of another."""

    @nn.nowrap
    def own_weight(self, make, param):
        """The weight from its norms and its direction."""
        dim, g_name, v_name = self.options
        v = make(v_name)
        g = param(g_name, lambda _: norm_except(v, dim))
        vars(self)["_factors"] = ((g_name, g), (v_name, v))
        return v * (g / norm_except(v, dim))


def weight_norm(layer, dim=0):
    """torch.nn.utils.weight_norm, with the parameters `weight_g` and `weight_v`."""
    return reparametrized(layer, WeightNorm, dim, "weight_g", "weight_v")


def parametrized_weight_norm(layer, dim=0):
    """torch.nn.utils.parametrizations.weight_norm, with parameters below `parametrizations.weight`."""
    names = ("parametrizations.weight.original0", "parametrizations.weight.original1")
    return reparametrized(layer, WeightNorm, dim, *names)


class SpectralNorm(Reparametrized):
    """A layer under torch's spectral_norm: its weight is a parameter over its largest singular value, which each call in
    training estimates better."""

    @nn.nowrap
    def own_weight(self, make, param):
        """The parameter, until the layer is called; the singular vectors are made beside it."""
        n_power_iterations, eps, _, original, *names = self.options
        weight = make(original)
        matrix, is_parametrized = self.matrix(weight), "." in original

        def start():
            keys = jax.random.split(self.make_rng("params"))
            vectors = [unit_vector(jax.random.normal(key, (size,)), eps) for key, size in zip(keys, matrix.shape)]
            if is_parametrized:
                vectors = power_iterations(matrix, *vectors, 15 + n_power_iterations, eps, True)
            return vectors

        made = start() if self.is_initializing() else (None, None)
        vectors = [
            nn.Module.variable(self, "buffers", name, lambda value=value: value) for name, value in zip(names, made)
        ]
        vars(self)["_factors"] = ((original, weight), *zip(names, vectors))
        return weight

    @nn.nowrap
    def matrix(self, weight):
        """The weight with `dim` as its rows and all other axes as columns."""
        dim = int(isinstance(self, ConvTranspose)) if self.options[2] is None else self.options[2]
        return jnp.moveaxis(weight, dim, 0).reshape(weight.shape[dim], -1)

    def __call__(self, *args, **kwargs):
        n_power_iterations, eps, _, original, *names = self.options
        weight, u, v = (vars(self)[name] for name in (original, *names))
        matrix = self.matrix(weight)
        if is_training(self):
            u.value, v.value = power_iterations(matrix, u.value, v.value, n_power_iterations, eps, "." in original)
        vars(self)["weight"] = weight / (u.value @ (matrix @ v.value))
        return super().__call__(*args, **kwargs)


def spectral_norm(layer, n_power_iterations=1, eps=1e-12, dim=None):
    """torch.nn.utils.spectral_norm, with the parameter `weight_orig`."""
    names = ("weight_orig", "weight_u", "weight_v")
    return reparametrized(layer, SpectralNorm, n_power_iterations, eps, dim, *names)


def parametrized_spectral_norm(layer, n_power_iterations=1, eps=1e-12, dim=None):
    """torch.nn.utils.parametrizations.spectral_norm, with the parameter `parametrizations.weight.original`."""
    names = ("original", "0._u", "0._v")
    below = [f"parametrizations.weight.{name}" for name in names]
    return reparametrized(layer, SpectralNorm, n_power_iterations, eps, dim, *below)
