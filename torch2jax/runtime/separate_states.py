"""Optimizers that pass over parameters whose gradient is None, as torch's do where they take no part in the loss."""

import jax
import optax


def per_parameter(optimizer):
    """torch.optim.Optimizer: each parameter has a state of its own, which stays as it is, as does the parameter, without a gradient."""
    flatten = lambda tree: jax.tree.flatten(tree, is_leaf=lambda x: x is None)

    def init(params):
        return [None if p is None else optimizer.init(p) for p in flatten(params)[0]]

    def update(grads, states, params):
        gradients, treedef = flatten(grads)
        steps = [
            (None, state) if g is None else optimizer.update(g, state, p)
            for g, state, p in zip(gradients, states, flatten(params)[0], strict=True)
        ]
        return jax.tree.unflatten(treedef, [step for step, _ in steps]), [state for _, state in steps]

    return optax.GradientTransformation(init, update)
