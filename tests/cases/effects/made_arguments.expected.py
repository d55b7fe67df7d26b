"""Modules with state that are made where a function is given them."""

import equinox as eqx
import jax.numpy as jnp
from torch2jax.runtime.batching import batched
from torch2jax.runtime.normalization import BatchNorm
from torch2jax.runtime.parameters import map_parameters


class Normed(eqx.nn.StatefulLayer):
    inner: eqx.nn.Linear
    norm: BatchNorm

    def __init__(self, *, key):
        self.inner = eqx.nn.Linear(3, 4, key=key)
        self.norm = BatchNorm(4)

    def __call__(self, x, state):
        return self.norm(batched(self.inner)(x), state)


def filled(model, value=0.5):
    model = map_parameters(lambda p: jnp.full_like(p, value), model)
    return model


def case_of_the_same_name(x, *, key):
    net, state = eqx.nn.make_with_state(Normed)(key=key)
    net = filled(net)
    y, state = net(x, state)
    net = eqx.nn.inference_mode(net)
    return y, net(x, state)[0]


def case_with_another_argument(x, *, key):
    net, state = eqx.nn.make_with_state(Normed)(key=key)
    net = filled(net, value=0.25)
    x, state = net(x, state)
    return x, state.get(net.norm.running_mean)


def case_without_state(x, *, key):
    return batched(filled(eqx.nn.Linear(3, 4, key=key), 0.1))(x)


class Holder:
    def __init__(self, *, key):
        self.net, self.state = eqx.nn.make_with_state(eqx.nn.Sequential)([eqx.nn.Linear(3, 4, key=key), BatchNorm(4)])
        self.net = filled(self.net, 0.2)

    def run(self, x):
        x, self.state = batched(self.net)(x, self.state)
        return x


def case_in_an_object(x, *, key):
    return Holder(key=key).run(x)
