"""Loops over the parts of a module that change them: the module gets its new parts; or the loop is reported."""

import equinox as eqx
import jax
import jax.numpy as jnp
from torch2jax.runtime.batching import batched
from torch2jax.runtime.reductions import clamp


def init_layer(layer, gain=1.0):
    if isinstance(layer, eqx.nn.Linear):
        layer = eqx.tree_at(lambda m: m.weight, layer, jnp.full_like(layer.weight, gain))
        layer = eqx.tree_at(lambda m: m.bias, layer, jnp.zeros_like(layer.bias))
    return layer


class Tower(eqx.Module):
    layers: list[eqx.nn.Linear]
    body: eqx.nn.Sequential

    def __init__(self, depth=3, *, key):
        layers_key, body_key, body_key_1 = jax.random.split(key, 3)
        self.layers = [eqx.nn.Linear(3, 3, key=subkey) for subkey in jax.random.split(layers_key, depth)]
        for i in range(len(self.layers)):
            self.layers = eqx.tree_at(lambda m: m[i].weight, self.layers, jnp.full_like(self.layers[i].weight, 0.25))
            self.layers = eqx.tree_at(lambda m: m[i].bias, self.layers, jnp.zeros_like(self.layers[i].bias))
        self.body = eqx.nn.Sequential([eqx.nn.Linear(3, 4, key=body_key), eqx.nn.Lambda(jnp.tanh), eqx.nn.Linear(4, 3, key=body_key_1)])
        for i in range(len(self.body)):
            if isinstance(self.body[i], eqx.nn.Linear):
                self.body = eqx.tree_at(lambda m: m[i].weight, self.body, jnp.full_like(self.body[i].weight, 0.1 * (i + 1)))
                self.body = eqx.tree_at(lambda m: m[i].bias, self.body, jnp.full_like(self.body[i].bias, 0.5))

    def __call__(self, x):
        for layer in self.layers[:-1]:
            x = jnp.tanh(batched(layer)(x))
        return batched(self.body)(batched(self.layers[-1])(x))


class ByFunctions(Tower):
    def __init__(self, *, key):
        super().__init__(key=key)
        for i in range(len(self.layers)):
            self.layers = eqx.tree_at(lambda m: m[i], self.layers, init_layer(self.layers[i], 0.3))
        for i in range(len(self.body)):
            self.body = eqx.tree_at(lambda m: m[i], self.body, init_layer(self.body[i], gain=0.2))
        for i in reversed(range(len(self.layers))):
            self.layers = eqx.tree_at(lambda m: m[i], self.layers, self._shift(self.layers[i]))

    def _shift(self, layer):
        layer = eqx.tree_at(lambda m: m.bias, layer, layer.bias + 1)
        return layer


def case_made_with_them(x, *, key):
    tower_key, byfunctions_key = jax.random.split(key)
    return Tower(key=tower_key)(x), ByFunctions(key=byfunctions_key)(x)


def case_from_outside(x, *, key):
    model = Tower(key=key)
    for i in range(len(model.layers)):
        model = eqx.tree_at(lambda m: m.layers[i].weight, model, clamp(model.layers[i].weight, -0.2, 0.2))
    for i in range(len(model.layers))[1:]:
        model = eqx.tree_at(lambda m: m.layers[i].bias, model, model.layers[i].bias.at[0].set(3.0))
    for i in range(len(model.body)):
        if i != 1:
            model = eqx.tree_at(lambda m: m.body[i], model, init_layer(model.body[i], 0.5))
    return model(x), jax.lax.stop_gradient(model.layers[2].bias)


# unchanged
def case_only_read(x):
    total = 0
    for i in range(3):
        total = total + i
    return x * total


def case_nested(x, *, key):
    model = [eqx.nn.Sequential([eqx.nn.Linear(3, 3, key=model_key), eqx.nn.Linear(3, 3, key=model_key_1)]) for model_key, model_key_1 in jax.random.split(key, (2, 2))]
    for j in range(len(model)):
        for i in range(len(model[j])):
            model = eqx.tree_at(lambda m: m[j][i].weight, model, jnp.full_like(model[j][i].weight, 0.5))
            model = eqx.tree_at(lambda m: m[j][i].bias, model, jnp.full_like(model[j][i].bias, 0.25))
    for block in model:
        x = batched(block)(x)
    return x


class Refused(eqx.Module):
    layers: list[eqx.nn.Linear]
    head: eqx.nn.Linear

    def __init__(self, *, key):
        layers_key, layers_key_1, head_key = jax.random.split(key, 3)
        self.layers = [eqx.nn.Linear(3, 3, key=layers_key), eqx.nn.Linear(3, 3, key=layers_key_1)]
        self.head = eqx.nn.Linear(3, 3, key=head_key)
        # torch2jax: T2J303 `layer` is changed in place and may be shared with `self.head`
        for layer in [self.head, self.layers[0]]:  # T2J303
            layer = init_layer(layer)
        # torch2jax: T2J303 `left` is changed in place and may be shared with `self.layers`
        for left, right in zip(self.layers[:-1], self.layers[1:]):  # T2J303
            left = init_layer(left)

    def __call__(self, x):
        return batched(self.head)(batched(self.layers[0])(x))


def case_refused(x, *, key):
    model = Refused(key=key)
    for layer in model.layers[1:]:
        # torch2jax: T2J303 `last` is changed in place and may be shared with `model.layers`
        last = layer  # T2J303
        last = init_layer(last)
    return model(x)
