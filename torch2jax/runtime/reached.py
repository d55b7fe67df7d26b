"""Gradients that are None as in torch, where a parameter takes no part in the loss."""

import equinox as eqx
import jax


def reached_value_and_grad(loss_fn, has_aux=False):
    """torch.Tensor.backward: `eqx.filter_value_and_grad`, but None for the parameters that the loss is not computed from."""

    def value_and_grad(model, *args):
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

        def watched_loss(model, *args):
            params, static = eqx.partition(model, eqx.is_inexact_array)
            leaves, treedef = jax.tree.flatten(params)
            params = jax.tree.unflatten(treedef, map(watch, range(len(leaves)), leaves))
            return loss_fn(eqx.combine(params, static), *args)

        value, grads = eqx.filter_value_and_grad(watched_loss, has_aux=has_aux)(model, *args)
        leaves, treedef = jax.tree.flatten(grads)
        return value, jax.tree.unflatten(treedef, [g if i in reached else None for i, g in enumerate(leaves)])

    return value_and_grad
