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


LENGTHS = [3, 5, 1, 4]


def packed_pair(batch_first, longer=0):
    """The same packed batch in torch and here."""
    shape = (4, 5 + longer, 3) if batch_first else (5 + longer, 4, 3)
    x, rnn = torch.randn(shape), torch.nn.utils.rnn
    theirs = rnn.pack_padded_sequence(x, torch.tensor(LENGTHS), batch_first, enforce_sorted=False)
    return r.pack_padded_sequence(x.numpy(), jnp.array(LENGTHS), batch_first), theirs


@pytest.mark.parametrize("name, options", [*LAYERS, ("LSTM", {"proj_size": 2, "bidirectional": True})], ids=str)
def test_packed_sequences(name, options):
    ours, theirs = pair(name, 3, 4, **options)
    batch_first = options.get("batch_first", False)
    packed, torch_packed = packed_pair(batch_first, longer=2)
    y, hx = theirs(torch_packed)
    found, found_hx = ours(packed)
    compare(found_hx, hx)
    compare(found.data, y.data)
    expected = torch.nn.utils.rnn.pad_packed_sequence(y, batch_first, padding_value=7.0)
    compare(r.pad_packed_sequence(found, batch_first, padding_value=7.0), expected)
    compare(ours(packed, jax.tree.map(jnp.zeros_like, found_hx))[1], hx)


@pytest.mark.parametrize("total_length", [None, 6])
@pytest.mark.parametrize("batch_first", [False, True])
def test_packed_sequences_under_jit(batch_first, total_length):
    ours, theirs = pair("GRU", 3, 4, bidirectional=True, batch_first=batch_first)
    packed, torch_packed = packed_pair(batch_first)

    @eqx.filter_jit
    def run(layer, x, lengths):
        again = r.pack_padded_sequence(x, lengths)
        return r.pad_packed_sequence(layer(again)[0], batch_first, total_length=total_length)

    expected = torch.nn.utils.rnn.pad_packed_sequence(theirs(torch_packed)[0], batch_first, total_length=total_length)
    compare(run(ours, packed.padded, packed.lengths), expected)
    if total_length is None:
        with pytest.raises(Exception, match="total_length"):
            jax.block_until_ready(run(ours, jnp.pad(packed.padded, [(0, 1), (0, 0), (0, 0)]), packed.lengths))


def test_gradients_of_packed_sequences():
    ours, theirs = pair("LSTM", 3, 4, num_layers=2, bidirectional=True)
    packed, torch_packed = packed_pair(False)
    theirs(torch_packed)[0].data.pow(2).sum().backward()

    def loss(layer):
        return (r.pad_packed_sequence(layer(packed)[0])[0] ** 2).sum()

    grads = checkpoints.state_dict(eqx.filter_grad(loss)(ours))
    for name, parameter in theirs.named_parameters():
        np.testing.assert_allclose(grads[name], parameter.grad, atol=1e-4)


def test_packing_lists():
    rnn = torch.nn.utils.rnn
    sequences = [torch.randn(n, 2) for n in LENGTHS]
    packed = r.pack_sequence([jnp.asarray(x.numpy()) for x in sequences])
    theirs = rnn.pack_sequence(sequences, enforce_sorted=False)
    compare(packed.data, theirs.data)
    compare(r.unpack_sequence(packed), rnn.unpack_sequence(theirs))
    padded = rnn.pad_sequence(sequences, batch_first=True)
    ours = r.unpad_sequence(jnp.asarray(padded.numpy()), jnp.array(LENGTHS), batch_first=True)
    compare(ours, rnn.unpad_sequence(padded, torch.tensor(LENGTHS), batch_first=True))
