"""Gradients of functions by the parameters of Flax Linen modules, as modules that hold them."""

import functools

import jax

from torch2jax.runtime.linen_modules import as_model
from torch2jax.runtime.linen_training import differentiate


def module_vjp(function, *models, others=(), has_aux=False):
    """torch.autograd.grad by parameters: `jax.vjp` by models, whose gradients are models; the function is given `others` first.

    All models change as they do when the function is called."""

    def transform(compute, params):
        value, vjp, rest = jax.vjp(compute, params, has_aux=True)
        return (value, vjp), rest

    given = lambda models, *others: function(*others, *models)
    (value, vjp), aux = differentiate(transform, given, models, others, has_aux)
    gradients = jax.tree_util.Partial(functools.partial(gradients_as_models, models), vjp)
    return (value, gradients, aux) if has_aux else (value, gradients)


def gradients_as_models(models, vjp, gradient):
    """The models that hold what takes a gradient back gives."""
    return tuple(map(as_model, models, vjp(gradient)[0]))
