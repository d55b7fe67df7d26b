"""Initialisers have torch's distributions; `apply_init` visits layers as torch's apply does."""

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest
import torch
from torch.nn import init

from torch2jax.runtime import initializers as i

KEY = jax.random.key(0)
SHAPE = (64, 16, 3, 5)
CASES = {
    "kaiming_uniform": (lambda s: i.kaiming_uniform(KEY, s, a=5**0.5), lambda w: init.kaiming_uniform_(w, a=5**0.5)),
    "kaiming_uniform out": (
        lambda s: i.kaiming_uniform(KEY, s, mode="fan_out", nonlinearity="relu"),
        lambda w: init.kaiming_uniform_(w, mode="fan_out", nonlinearity="relu"),
    ),
    "kaiming_normal": (lambda s: i.kaiming_normal(KEY, s), init.kaiming_normal_),
    "xavier_uniform": (lambda s: i.xavier_uniform(KEY, s, 2.0), lambda w: init.xavier_uniform_(w, 2.0)),
    "xavier_normal": (lambda s: i.xavier_normal(KEY, s), init.xavier_normal_),
    "trunc_normal": (
        lambda s: i.trunc_normal(KEY, s, 0.5, 0.7, -0.6, 0.9),
        lambda w: init.trunc_normal_(w, 0.5, 0.7, -0.6, 0.9),
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_distribution(case):
    torch.manual_seed(0)
    ours, theirs = (np.sort(np.ravel(w)) for w in (CASES[case][0](SHAPE), CASES[case][1](torch.empty(SHAPE))))
    inner = slice(len(ours) // 100, -len(ours) // 100)
    np.testing.assert_allclose(ours[inner], theirs[inner], atol=0.1 * theirs.std())
    if "uniform" in case or "trunc" in case:
        np.testing.assert_allclose(ours[[0, -1]], theirs[[0, -1]], atol=0.02 * theirs.std())


@pytest.mark.parametrize("shape", [(4, 6), (6, 4), (8, 2, 3)])
def test_orthogonal(shape):
    weight = i.orthogonal(KEY, shape, 2.0).reshape(shape[0], -1)
    gram = weight @ weight.T if weight.shape[0] < weight.shape[1] else weight.T @ weight
    np.testing.assert_allclose(gram, 4 * np.eye(len(gram)), atol=1e-5)


@pytest.mark.parametrize("groups", [1, 2])
def test_dirac(groups):
    np.testing.assert_array_equal(i.eye_kernel((6, 2, 3, 5), groups), init.dirac_(torch.empty(6, 2, 3, 5), groups))


@pytest.mark.parametrize("name", ["linear", "conv2d", "sigmoid", "tanh", "relu", "leaky_relu", "selu"])
def test_gain(name):
    assert i.calculate_gain(name) == pytest.approx(init.calculate_gain(name))
    assert i.calculate_gain("leaky_relu", 0.3) == pytest.approx(init.calculate_gain("leaky_relu", 0.3))


def constant(layer):
    if isinstance(layer, eqx.nn.Linear):
        layer = eqx.tree_at(lambda m: m.weight, layer, jnp.full_like(layer.weight, 2.0))
    return layer


class Tied(eqx.Module):
    """Two layers with one weight, below a container."""

    layers: list
    embed: eqx.nn.Embedding
    visited: tuple = eqx.field(static=True)

    def __init__(self, *, key, during):
        self.layers = [eqx.nn.Linear(3, 3, key=key), eqx.nn.Sequential([eqx.nn.Linear(3, 4, use_bias=False, key=key)])]
        self.embed = eqx.nn.Embedding(weight=self.layers[1].layers[0].weight)
        self.visited = ()
        if during:
            apply_visits = []

            def visit(layer, *, key):
                apply_visits.append(type(layer).__name__)
                if isinstance(layer, (eqx.nn.Linear, eqx.nn.Embedding)):
                    layer = eqx.tree_at(lambda m: m.weight, layer, jax.random.normal(key, layer.weight.shape))
                return layer

            i.apply_init(self, visit, key=key)
            self.visited = tuple(apply_visits)


def test_apply_in_init_visits_children_first_and_keeps_ties():
    model = Tied(key=KEY, during=True)
    assert model.visited == ("Linear", "Linear", "Sequential", "Embedding", "Tied")
    assert model.embed.weight is model.layers[1].layers[0].weight
    assert not jnp.array_equal(model.layers[0].weight, Tied(key=KEY, during=False).layers[0].weight)


def test_apply_to_a_finished_model():
    model = i.with_init(Tied(key=KEY, during=False), constant)
    assert (model.layers[0].weight == 2).all() and (model.embed.weight == 2).all()
    assert model.embed.weight is model.layers[1].layers[0].weight
