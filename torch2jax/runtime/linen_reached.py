"""Gradients of Flax Linen modules that are None as in torch, where a parameter takes no part in the loss."""

import jax

from torch2jax.runtime.linen_training import differentiate
from torch2jax.runtime.watching import watch_gradient


def reached_value_and_grad(function, has_aux=False):
    """torch.Tensor.backward: `value_and_grad`, but None for the parameters that the loss is not computed from."""
    reached = set()

    def transform(compute, params):
        leaves, treedef = jax.tree.flatten(params)
        watched = lambda leaves: compute(treedef.unflatten(watch_gradient(i, x, reached) for i, x in enumerate(leaves)))
        reached.clear()
        (loss, rest), grads = jax.value_and_grad(watched, has_aux=True)(leaves)
        return (loss, treedef.unflatten([g if i in reached else None for i, g in enumerate(grads)])), rest

    def call(model, *args):
        (loss, grads), aux = differentiate(transform, function, model, args, has_aux)
        return ((loss, aux) if has_aux else loss), grads

    return call
