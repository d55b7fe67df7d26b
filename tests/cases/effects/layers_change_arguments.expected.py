"""Layers with `inplace=True` change what they are given, for all who look at it afterwards; also first in a Sequential."""

import functools
from functools import partial

import equinox as eqx
import jax
import jax.numpy as jnp
from torch2jax.runtime.activations import hardtanh, leaky_relu
from torch2jax.runtime.batching import batched
from torch2jax.runtime.parameters import set_parameters


class Residual(eqx.Module):
    act: eqx.nn.Lambda
    fc: eqx.nn.Linear

    def __init__(self, *, key):
        self.act = eqx.nn.Lambda(jax.nn.relu)
        self.fc = eqx.nn.Linear(3, 3, key=key)
        set_parameters(lambda p: jnp.full_like(p, 0.25), self)

    def __call__(self, x):
        h = x * 2
        h = self.act(h)
        return batched(self.fc)(h) + h


class Steps(eqx.Module):
    act: eqx.nn.Lambda
    drop: eqx.nn.Dropout

    def __init__(self):
        self.act = eqx.nn.Lambda(partial(leaky_relu, negative_slope=0.2))
        self.drop = eqx.nn.Dropout(0.0)

    def __call__(self, x):
        outs = []
        h = x * 2
        outs.append(h)
        h = self.act(h)
        outs[0] = h
        outs.append(h)
        h = self.drop(h)
        outs[0] = h
        outs[1] = h
        h = h + 1
        outs.append(h)
        return outs


class Branches(eqx.Module):
    act: eqx.nn.Lambda

    def __init__(self):
        self.act = eqx.nn.Lambda(partial(hardtanh, min_val=0.0, max_val=6.0))

    def __call__(self, x, flag=True):
        h = x * 8
        view = h[0]
        if flag:
            h = self.act(h)
            view = h[0]
            y = h
        else:
            y = h + 1
        return y + 1, view, h


class First(eqx.Module):
    net: eqx.nn.Sequential

    def __init__(self, *, key):
        self.net = eqx.nn.Sequential([eqx.nn.Dropout(0.0), eqx.nn.Lambda(jax.nn.relu), eqx.nn.Linear(3, 3, key=key)])

    def __call__(self, x):
        h = x * 2
        # torch2jax: T2J302 `self.net(h)` changes `h` in the middle of an expression
        return h + self.net(h)  # T2J302


class Last(eqx.Module):
    net: eqx.nn.Sequential

    def __init__(self, *, key):
        layers = []
        for width in (3, 3):
            key, subkey = jax.random.split(key)
            layers.append(eqx.nn.Linear(width, 3, key=subkey))
            layers.append(eqx.nn.Lambda(jax.nn.relu))
        self.net = eqx.nn.Sequential(layers)
        set_parameters(lambda p: jnp.full_like(p, 0.25), self)

    def __call__(self, x):
        h = x * 2
        return h + batched(self.net)(h)


class FirstOfSome(eqx.Module):
    net: eqx.nn.Sequential

    def __init__(self, norm=False, *, key):
        layers = []
        for width in (3, 3):
            if norm:
                layers.append(eqx.nn.LayerNorm(width))
            key, subkey = jax.random.split(key)
            layers += [eqx.nn.Lambda(jax.nn.relu), eqx.nn.Linear(width, 3, key=subkey)]
        self.net = eqx.nn.Sequential(layers)

    def __call__(self, x):
        h = x * 2
        # torch2jax: T2J302 `self.net(h)` changes `h` in the middle of an expression
        return h + self.net(h)  # T2J302


class Features(eqx.Module):
    layers: eqx.nn.Sequential

    def __init__(self, *, key):
        layers_key, layers_key_1 = jax.random.split(key)
        self.layers = eqx.nn.Sequential([eqx.nn.Linear(3, 3, key=layers_key), eqx.nn.Lambda(jax.nn.relu), eqx.nn.Linear(3, 3, key=layers_key_1)])

    def __call__(self, x):
        found = []
        for i, layer in enumerate(self.layers):
            given = x
            x = batched(layer)(x)
            if i == 1:
                found = [x if item is given else item for item in found]
            found.append(x)
        return found


def case_residual(x: jax.Array, *, key):
    return Residual(key=key)(x)


def case_steps(x: jax.Array):
    return Steps()(x)


def case_branches(x: jax.Array):
    return Branches()(x), Branches()(x, False)


def case_last(x: jax.Array, *, key):
    return Last(key=key)(x)


def case_alias(x: jax.Array):
    act = eqx.nn.Lambda(jax.nn.relu)
    h = x * 2
    kept = h
    h = act(h)
    kept = h
    y = h
    return y, kept


def case_twice(x: jax.Array):
    act = eqx.nn.Lambda(partial(leaky_relu, negative_slope=0.5))
    h = x * 2
    h = act(act(h))
    y = h
    return y + h


def case_statement(x: jax.Array):
    act = eqx.nn.Lambda(jax.nn.relu)
    h = x * 2
    h = act(h)
    return h


def case_changed_later(x: jax.Array):
    act = eqx.nn.Lambda(jax.nn.relu)
    h = x * 2
    h = act(h)
    y = h
    y += 1
    h = y
    return y, h


def case_loop(x: jax.Array):
    act = eqx.nn.Lambda(partial(leaky_relu, negative_slope=0.5))
    h = x * 1
    total = 0
    for _ in range(3):
        h = act(h)
        total = total + h
    return total, h


def case_view(x: jax.Array):
    act = eqx.nn.Lambda(jax.nn.relu)
    h = x * 2
    h_part = h[:2]
    h_part = act(h_part)
    h = h.at[:2].set(h_part)
    y = h_part
    return y, h


def case_no_grad(x: jax.Array):
    act = eqx.nn.Lambda(jax.nn.relu)
    h = x * 2
    h = act(h)
    y = h
    y = jax.lax.stop_gradient(y)
    return y, h


def case_functions(x: jax.Array):
    h = x * 2
    h = leaky_relu(h, negative_slope=0.2)
    y = h
    k = x * 3
    k = jax.nn.relu(k)
    z = k + k
    return y, h, z


def case_given_false(x: jax.Array):
    act = eqx.nn.Lambda(jax.nn.relu)
    h = x * 2
    return act(h) + h + jax.nn.relu(h)


def case_read_before(x: jax.Array):
    act = eqx.nn.Lambda(jax.nn.relu)
    h = x * 2
    return (h * 3) + act(h)


def case_read_between(x: jax.Array):
    act = eqx.nn.Lambda(jax.nn.relu)
    h = x * 2
    # torch2jax: T2J302 `act(h)` changes `h` in the middle of an expression
    return (h * 3) + act(h) + h  # T2J302


def case_argument(x: jax.Array):
    h = x * 2
    h, result = helped(h)
    return result, h


def helped(h):
    act = eqx.nn.Lambda(jax.nn.relu)
    h = act(h)
    result = h + 1
    return h, result


def case_columns(x: jax.Array):
    act = eqx.nn.Lambda(jax.nn.relu)
    h = x * 2
    h_part = h[:, 0]
    h_part = act(h_part)
    h = h.at[:, 0].set(h_part)
    y = h_part
    h_t = h.T
    h_t = act(h_t)
    h = h_t.T
    y = h[:, 0]
    z = h_t
    return y, z, h


class Doubled(eqx.Module):
    def __call__(self, x):
        x = x * 2
        return x + 1


class Activated(eqx.Module):
    act: eqx.nn.Lambda

    def __init__(self):
        self.act = eqx.nn.Lambda(jax.nn.relu)

    def __call__(self, x):
        return self.act(x) * 2


class ActivatedFirst(eqx.Module):
    act: eqx.nn.Lambda

    def __init__(self):
        self.act = eqx.nn.Lambda(jax.nn.relu)

    def __call__(self, x):
        # torch2jax: T2J300 `forward` changes its argument `x` in place, and its callers would not see the change
        return self.act(x) * 2  # T2J300


class OfClasses(eqx.Module):
    net: eqx.nn.Sequential

    def __init__(self, *, key):
        self.net = eqx.nn.Sequential([eqx.nn.Linear(3, 3, key=key), Doubled(), Activated(), Doubled()])
        set_parameters(lambda p: jnp.full_like(p, 0.25), self)

    def __call__(self, x):
        h = x * 2
        return batched(self.net)(h) + h


class OfClassesFirst(eqx.Module):
    net: eqx.nn.Sequential

    def __init__(self, *, key):
        self.net = eqx.nn.Sequential([eqx.nn.Identity(), ActivatedFirst(), eqx.nn.Linear(3, 3, key=key)])

    def __call__(self, x):
        h = x * 2
        h = batched(self.net)(h) + h
        return h


class Chosen(eqx.Module):
    act: eqx.nn.Lambda

    def __init__(self, act_layer=partial(eqx.nn.Lambda, jax.nn.relu)):
        self.act = act_layer()

    def __call__(self, x):
        h = x * 2
        # torch2jax: T2J302 `self.act(h)` changes `h` in the middle of an expression
        y = self.act(h)  # T2J302
        return y + h


def case_of_classes(x: jax.Array, *, key):
    return OfClasses(key=key)(x)


def case_rebound_beside(x: jax.Array):
    h = x * 2
    h, result = scaled(h)
    h = result + h
    return h


def scaled(h):
    act = eqx.nn.Lambda(jax.nn.relu)
    h = act(h)
    result = h * 2
    return h, result


class Partial(eqx.Module):
    act: eqx.nn.Lambda

    def __init__(self, act_layer=partial(eqx.nn.Lambda, partial(leaky_relu, negative_slope=0.2))):
        self.act = act_layer()

    def __call__(self, x):
        h = x * 2
        # torch2jax: T2J302 `self.act(h)` changes `h` in the middle of an expression
        y = self.act(h)  # T2J302
        return y + h
