"""Gradients that are None as in torch, where a parameter takes no part in the loss."""

import equinox as eqx
import jax

from torch2jax.runtime.watching import watch_gradient


def reached_value_and_grad(loss_fn, has_aux=False):
    """torch.Tensor.backward: `eqx.filter_value_and_grad`, but None for the parameters that the loss is not computed from."""

    def value_and_grad(model, *args):
        reached = set()

        def watched_loss(model, *args):
            params, static = eqx.partition(model, eqx.is_inexact_array)
            leaves, treedef = jax.tree.flatten(params)
            params = treedef.unflatten(watch_gradient(i, leaf, reached) for i, leaf in enumerate(leaves))
            return loss_fn(eqx.combine(params, static), *args)

        value, grads = eqx.filter_value_and_grad(watched_loss, has_aux=has_aux)(model, *args)
        leaves, treedef = jax.tree.flatten(grads)
        return value, jax.tree.unflatten(treedef, [g if i in reached else None for i, g in enumerate(leaves)])

    return value_and_grad
