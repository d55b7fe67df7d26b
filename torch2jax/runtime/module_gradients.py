"""Gradients of functions by the parameters of modules, as modules that hold them."""

import equinox as eqx
import jax
import jax.numpy as jnp


def module_vjp(function, *models, has_aux=False):
    """torch.autograd.grad by parameters: `eqx.filter_vjp` by models, whose gradients are models that hold arrays of their own.

    Parameters are told apart by what they are, and JAX may give one array for the gradients of two."""
    value, vjp, *aux = eqx.filter_vjp(function, *models, has_aux=has_aux)
    return value, jax.tree_util.Partial(own_gradients, vjp), *aux


def own_gradients(vjp, gradient):
    """What takes a gradient back gives, as arrays of which none is another one."""
    return jax.tree.map(jnp.copy, vjp(gradient))
