"""`p.data = value` gives the tensor other values wherever it is: in the module, too, which has to be seen or reported."""

import itertools

import equinox as eqx
import jax
import jax.numpy as jnp
from torch2jax.runtime.batching import batched
from torch2jax.runtime.checkpoints import parameters
from torch2jax.runtime.parameters import map_parameters


def make(*, key):
    model = eqx.nn.Linear(3, 2, key=key)
    model = map_parameters(lambda p: jnp.linspace(-0.5, 0.6, p.size).reshape(p.shape), model)
    return model


def case_of_each_parameter(x, *, key):
    return batched(make(key=key))(x)


def case_of_one_parameter(x, *, key):
    model = make(key=key)
    model = eqx.tree_at(lambda m: m.weight, model, jnp.ones((2, 3)))
    return batched(model)(x)


def case_from_another_model(x, *, key):
    linear_key, make_key = jax.random.split(key)
    model, other = eqx.nn.Linear(3, 2, key=linear_key), make(key=make_key)
    model = map_parameters(lambda p, q: 2 * q, model, other)
    return batched(model)(x)


def case_counted(x, *, key):
    model = make(key=key)
    model = map_parameters(lambda p, i: jnp.full_like(p, 0.1 * (i + 1)), model, itertools.count())
    return batched(model)(x)


def case_of_some(x, *, key):
    model = make(key=key)
    for p in list(parameters(model))[:1]:
        # torch2jax: T2J303 `p` is changed in place and may be shared with `a container, a field or a caller`
        p.data = torch.full_like(p, 0.5)  # T2J303
    return batched(model)(x)


def case_in_a_variable(x, *, key):
    model = make(key=key)
    model = eqx.tree_at(lambda m: m.weight, model, jnp.ones((2, 3)))
    return batched(model)(x)


def case_data_in_a_variable(x, *, key):
    model = make(key=key)
    w = jax.lax.stop_gradient(model.weight)
    # torch2jax: T2J303 `w` is changed in place and may be shared with `a container, a field or a caller`
    w.data = torch.ones(2, 3)  # T2J303
    # torch2jax: T2J303 `w` is changed in place and may be shared with `a container, a field or a caller`
    w.add_(1)  # T2J303
    return batched(model)(x)


def case_of_pieces(x, *, key):
    model = make(key=key)
    flat, start = jnp.linspace(0, 1, 8), 0

    def update(p):
        nonlocal start
        p = flat[start : start + p.size].reshape(p.shape)
        start += p.size
        return p

    model = map_parameters(update, model)
    return batched(model)(x)


def set_all(params, value):
    for p in params:
        # torch2jax: T2J303 `p` is changed in place and may be shared with `a container, a field or a caller`
        p.data = torch.full_like(p, value)  # T2J303


def case_by_a_function(x, *, key):
    model = make(key=key)
    set_all(list(parameters(model)), 0.5)
    return batched(model)(x)


def case_kept_copies(x, *, key):
    model = make(key=key)
    old = [jnp.copy(jax.lax.stop_gradient(p)) for p in parameters(model)]
    model = map_parameters(lambda p: p + 1.0, model)
    return old, batched(model)(x)


def case_kept_tensors(x, *, key):
    model = make(key=key)
    # torch2jax: T2J303 `model` is changed in place and may be shared with `old`
    old = [p.data for p in model.parameters()]  # T2J303
    model = map_parameters(lambda p: p + 1.0, model)
    return old, batched(model)(x)


# unchanged
def case_without_tensors(x):
    return [part for part in [x, x]]
