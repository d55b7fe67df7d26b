"""Gradients of Flax Linen modules that are None as in torch, where a parameter takes no part in the loss."""

import jax

from torch2jax.runtime.linen_training import differentiate


def reached_value_and_grad(function, has_aux=False):
    """torch.Tensor.backward: `value_and_grad`, but None for the parameters that the loss is not computed from."""
    reached = set()

    def watch(position, leaf):
        watched = jax.custom_vjp(lambda x: x)

        def backward(_, cotangent):
            if isinstance(cotangent, jax.custom_derivatives.SymbolicZero):
                return (None,)
            reached.add(position)
            return (cotangent,)

        watched.defvjp(lambda x: (x.value, None), backward, symbolic_zeros=True)
        return watched(leaf)

    def transform(compute, params):
        leaves, treedef = jax.tree.flatten(params)
        watched = lambda leaves: compute(treedef.unflatten(map(watch, range(len(leaves)), leaves)))
        reached.clear()
        (loss, rest), grads = jax.value_and_grad(watched, has_aux=True)(leaves)
        return (loss, treedef.unflatten([g if i in reached else None for i, g in enumerate(grads)])), rest

    def call(model, *args):
        (loss, grads), aux = differentiate(transform, function, model, args, has_aux)
        return ((loss, aux) if has_aux else loss), grads

    return call
