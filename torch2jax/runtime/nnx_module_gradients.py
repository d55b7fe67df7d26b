"""Gradients of functions by the parameters of Flax NNX modules, as modules that hold them."""

import functools

import jax
from flax import nnx


def module_vjp(function, *models, others=(), has_aux=False):
    """torch.autograd.grad by parameters: `jax.vjp` by models, whose gradients are models; the function is given `others` first.

    All models change as they do when the function is called."""
    objects = (others, models)
    is_own = lambda path, value: path[0] == 1 and isinstance(value, nnx.Param)
    graph, params, rest = nnx.split(objects, is_own, ...)

    def compute(params):
        others, models = copies = nnx.merge(graph, params, rest, copy=True)
        result = function(*others, *models)
        value, aux = result if has_aux else (result, None)
        return value, (aux, nnx.state(copies, nnx.Not(is_own)))

    value, vjp, (aux, changed) = jax.vjp(compute, params, has_aux=True)
    nnx.update(objects, changed)
    gradients = jax.tree_util.Partial(functools.partial(gradients_as_models, graph), rest, vjp)
    return (value, gradients, aux) if has_aux else (value, gradients)


def gradients_as_models(graph, rest, vjp, gradient):
    """The models that hold what takes a gradient back gives."""
    return tuple(nnx.merge(graph, *vjp(gradient), rest, copy=True)[1])
