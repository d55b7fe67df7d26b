"""Gradients of modules of Flax NNX that are None as in torch, where a parameter takes no part in the loss, and optimizers that
then pass over it."""

import jax
import jax.numpy as jnp
import optax
from flax import nnx

from torch2jax.runtime.watching import watch_gradient


def reached_value_and_grad(loss_fn, has_aux=False):
    """torch.Tensor.backward: `nnx.value_and_grad`, but None for the parameters that the loss is not computed from."""

    def value_and_grad(model, *args):
        reached = set()

        def watched_loss(model, *args):
            params = nnx.to_flat_state(nnx.state(model, nnx.Param))
            arrays = [param[...] for _, param in params]
            watched = [watch_gradient(path, array, reached) for (path, _), array in zip(params, arrays)]
            for (_, param), array in zip(params, watched):
                param.set_value(array)
            result = loss_fn(model, *args)
            for (_, param), given, array in zip(params, watched, arrays):
                if param.get_value() is given:  # the loss may change parameters
                    param.set_value(array)
            return result

        value, grads = nnx.value_and_grad(watched_loss, has_aux=has_aux)(model, *args)
        return value, only_reached(grads, reached)

    return value_and_grad


def only_reached(grads, reached, place=()):
    """Gradients of a model, or of a tuple of models: None where the path is not among those that were reached."""
    if isinstance(grads, tuple):
        return tuple(only_reached(part, reached, (*place, index)) for index, part in enumerate(grads))
    flat = [
        (path, grad if (*place, *path) in reached else grad.replace(None)) for path, grad in nnx.to_flat_state(grads)
    ]
    return nnx.from_flat_state(flat)


def per_parameter(optimizer):
    """torch.optim.Optimizer: each parameter has a state of its own, which stays as it is, as does the parameter, without a gradient."""
    flatten = lambda tree: jax.tree.flatten(tree, is_leaf=lambda x: x is None)

    def init(params):
        return tuple(optimizer.init(p) for p in flatten(nnx.as_pure(params))[0])

    def update(grads, states, params):
        gradients, treedef = flatten(grads)
        steps = [
            (jnp.zeros_like(p), state) if g is None else optimizer.update(g, state, p)
            for g, state, p in zip(gradients, states, flatten(params)[0], strict=True)
        ]
        return jax.tree.unflatten(treedef, [step for step, _ in steps]), tuple(state for _, state in steps)

    return optax.GradientTransformation(init, update)
