"""Loops over modules see each module before its parts, as torch's `modules()` lists them, and keep tied arrays tied."""

import equinox as eqx
import jax
import jax.numpy as jnp

from torch2jax.runtime.module_loops import map_children, map_modules, set_children, set_modules


class Tied(eqx.Module):
    layers: list
    embed: eqx.nn.Embedding

    def __init__(self, change=None):
        self.embed = eqx.nn.Embedding(3, 4, key=jax.random.key(0))
        self.layers = [
            eqx.nn.Sequential([eqx.nn.Linear(4, 3, use_bias=False, key=jax.random.key(1)), eqx.nn.Dropout()])
        ]
        linear = self.layers[0].layers[0]
        self.layers[0] = eqx.tree_at(lambda m: m.layers[0], self.layers[0], tie(linear, self.embed))
        if change is not None:
            set_modules(change, self, named=True)
            set_children(change, self, named=True)


def tie(linear, embed):
    return eqx.tree_at(lambda m: m.weight, linear, embed.weight)


def doubling(seen):
    def change(name, module):
        seen.append(name)
        if isinstance(module, eqx.nn.Linear):
            module = eqx.tree_at(lambda m: m.weight, module, module.weight * 2)
        if isinstance(module, eqx.nn.Dropout):
            module = eqx.tree_at(lambda m: m.p, module, 0.25)
        return module

    return change


def test_modules_in_the_order_of_torch():
    seen = []
    model, first = map_modules(doubling(seen), Tied(), named=True), Tied()
    assert seen == ["", "layers", "layers.0", "layers.0.0", "layers.0.1", "embed"]
    assert jnp.array_equal(model.embed.weight, 2 * first.embed.weight)
    assert model.embed.weight is model.layers[0].layers[0].weight
    assert model.layers[0].layers[1].p == 0.25


def test_children_are_the_direct_parts():
    seen = []
    map_children(doubling(seen), Tied(), named=True)
    assert seen == ["layers", "embed"]


def test_in_init():
    seen = []
    model = Tied(doubling(seen))
    assert seen == ["", "embed", "layers", "layers.0", "layers.0.0", "layers.0.1", "embed", "layers"]
    assert model.embed.weight is model.layers[0].layers[0].weight
    assert model.layers[0].layers[1].p == 0.25


def test_each_module_draws_for_itself():
    def change(module, *, key):
        return eqx.tree_at(lambda m: m.p, module, float(jax.random.uniform(key)))

    first, second = map_children(
        change, eqx.nn.Sequential([eqx.nn.Dropout(), eqx.nn.Dropout()]), key=jax.random.key(0)
    ).layers
    assert first.p != second.p
