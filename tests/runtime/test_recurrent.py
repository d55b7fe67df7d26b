"""Recurrent layers agree with torch: values, states, gradients; torch's weight names."""

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest
import torch

from torch2jax.runtime import checkpoints
from torch2jax.runtime import recurrent as r

KEY = jax.random.key(0)
LAYERS = [
    ("LSTM", {}),
    ("LSTM", {"num_layers": 2, "bidirectional": True, "dropout": 0.5}),
    ("GRU", {"num_layers": 2, "batch_first": True}),
    ("GRU", {"bias": False, "bidirectional": True, "batch_first": True}),
    ("RNN", {"num_layers": 2, "bidirectional": True}),
    ("RNN", {"nonlinearity": "relu"}),
]


def pair(name, *args, **options):
    theirs = getattr(torch.nn, name)(*args, **options).eval()
    ours = getattr(r, name)(*args, key=KEY, **options)
    assert list(checkpoints.state_dict(ours)) == list(theirs.state_dict())
    return eqx.nn.inference_mode(checkpoints.load_state_dict(ours, theirs.state_dict())), theirs


def leaves(x):
    return [x] if isinstance(x, (torch.Tensor, jax.Array)) else [leaf for part in x for leaf in leaves(part)]


def compare(ours, theirs):
    for left, right in zip(leaves(ours), leaves(theirs), strict=True):
        np.testing.assert_allclose(left, right.detach(), atol=1e-5)


@pytest.mark.parametrize("name, options", LAYERS, ids=str)
def test_layer(name, options):
    ours, theirs = pair(name, 3, 4, **options)
    x = torch.randn(5, 6, 3)
    y, hx = theirs(x)
    zeros = jax.tree.map(jnp.zeros_like, ours(jnp.asarray(x.numpy()))[1])
    run = eqx.filter_jit(lambda layer, *args: layer(*args))
    compare(run(ours, jnp.asarray(x.numpy()), zeros), (y, hx))
    start = jax.tree.map(lambda h: jnp.asarray(h.detach().numpy()), hx, is_leaf=lambda h: isinstance(h, torch.Tensor))
    again = (hx[0].detach(), hx[1].detach()) if name == "LSTM" else hx.detach()
    compare(run(ours, jnp.asarray(x.numpy()), start), theirs(x, again))


@pytest.mark.parametrize("batch_first", [True, False])
def test_unbatched_input(batch_first):
    ours, theirs = pair("LSTM", 3, 4, bidirectional=True, batch_first=batch_first)
    x = torch.randn(5, 3)
    compare(ours(jnp.asarray(x.numpy())), theirs(x))


@pytest.mark.parametrize("name", ["LSTM", "GRU", "RNN"])
def test_gradients(name):
    ours, theirs = pair(name, 3, 4, num_layers=2)
    x = torch.randn(5, 2, 3)
    theirs(x)[0].square().sum().backward()
    grads = eqx.filter_jit(eqx.filter_grad(lambda layer: (layer(jnp.asarray(x.numpy()))[0] ** 2).sum()))(ours)
    for weight, parameter in theirs.named_parameters():
        np.testing.assert_allclose(grads.weights[weight], parameter.grad, atol=1e-4)


@pytest.mark.parametrize("name", ["LSTMCell", "GRUCell", "RNNCell"])
@pytest.mark.parametrize("shape, bias", [((3,), True), ((5, 3), False)])
def test_cell(name, shape, bias):
    ours, theirs = pair(name, 3, 4, bias=bias)
    x = torch.randn(shape)
    hx = theirs(x)
    compare(ours(jnp.asarray(x.numpy())), hx)
    start = (
        tuple(jnp.asarray(h.detach().numpy()) for h in hx) if name == "LSTMCell" else jnp.asarray(hx.detach().numpy())
    )
    compare(ours(jnp.asarray(x.numpy()), start), theirs(x, hx))


def test_dropout_is_between_layers_and_only_in_training():
    layer = r.LSTM(3, 4, 2, dropout=0.9, key=KEY)
    x = jnp.ones((5, 2, 3))
    assert not jnp.allclose(layer(x, key=KEY)[0], eqx.nn.inference_mode(layer)(x)[0])
    single = r.LSTM(3, 4, dropout=0.9, key=KEY)
    np.testing.assert_array_equal(single(x)[0], eqx.nn.inference_mode(single)(x)[0])


def test_weights_are_attributes_and_start_within_the_bounds():
    layer = r.GRU(3, 100, key=KEY)
    assert layer.weight_hh_l0.shape == (300, 100) and 0.09 < float(abs(layer.bias_ih_l0).max()) <= 0.1
    changed = eqx.tree_at(lambda m: m.bias_hh_l0, layer, jnp.zeros(300))
    assert not changed.bias_hh_l0.any()
    with pytest.raises(AttributeError):
        layer.weight_hh_l1
