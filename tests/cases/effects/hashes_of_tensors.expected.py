"""Tensors as members of sets and as keys of dicts: arrays have no hash."""

import equinox as eqx
import jax


def case_set_of_parameters(x: jax.Array, *, key):
    net_key, net_key_1 = jax.random.split(key)
    net = eqx.nn.Sequential([eqx.nn.Linear(3, 2, key=net_key), eqx.nn.Linear(2, 1, key=net_key_1)])
    # torch2jax: T2J200 `a tensor as a member of a set or as a key (keep its id() instead)` has no translation yet
    head = set(jax.tree.leaves(eqx.filter(net[1], eqx.is_inexact_array)))  # T2J200
    return len(head)


def case_set_of_tensors(x: jax.Array):
    # torch2jax: T2J200 `a tensor as a member of a set or as a key (keep its id() instead)` has no translation yet
    return len({row for row in x})  # T2J200


def case_keys(x: jax.Array):
    # torch2jax: T2J200 `a tensor as a member of a set or as a key (keep its id() instead)` has no translation yet
    return len({row: i for i, row in enumerate(x)})  # T2J200


def case_ids(x: jax.Array, *, key):
    net_key, net_key_1 = jax.random.split(key)
    net = eqx.nn.Sequential([eqx.nn.Linear(3, 2, key=net_key), eqx.nn.Linear(2, 1, key=net_key_1)])
    head = set(map(id, jax.tree.leaves(eqx.filter(net[1], eqx.is_inexact_array))))
    return len(head), len([p for p in jax.tree.leaves(eqx.filter(net, eqx.is_inexact_array)) if id(p) not in head])


def case_numbers(x: jax.Array):
    return len({round(v, 2) for v in x.reshape(-1).tolist()})
