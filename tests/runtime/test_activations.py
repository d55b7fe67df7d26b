"""Activations agree with torch in value and gradient, at their corners too; dropout has torch's distribution."""

import functools

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import torch
import torch.nn.functional as F

from torch2jax.runtime import activations as a

KEY = jax.random.key(0)
RNG = np.random.default_rng(0)
X = np.concatenate([[0, 1, -1, 0.5, -0.5, 3, -3, 6, 20, 25, -25, 100, -100], 3 * RNG.normal(size=11)]).astype(
    np.float32
)
X = X.reshape(2, 3, 4)
SLOPES = np.array([0.1, 0.2, 0.3], np.float32)

CASES = {
    "leaky_relu": (lambda x: a.leaky_relu(x, 0.2), lambda x: F.leaky_relu(x, 0.2)),
    "rrelu": (a.rrelu, F.rrelu),
    "hardtanh": (a.hardtanh, F.hardtanh),
    "hardtanh bounds": (lambda x: a.hardtanh(x, -3, 0.5), lambda x: F.hardtanh(x, -3, 0.5)),
    "hardsigmoid": (a.hardsigmoid, F.hardsigmoid),
    "hardswish": (a.hardswish, F.hardswish),
    "softmin": (lambda x: a.softmin(x, 1), lambda x: F.softmin(x, 1)),
    "hardshrink": (a.hardshrink, F.hardshrink),
    "softshrink": (a.softshrink, F.softshrink),
    "threshold": (lambda x: a.threshold(x, 0.5, 9.0), lambda x: F.threshold(x, 0.5, 9.0)),
    "softplus": (a.softplus, F.softplus),
    "softplus beta": (lambda x: a.softplus(x, 2.0, 5.0), lambda x: F.softplus(x, 2.0, 5.0)),
}
NATIVE = {
    "relu": (jax.nn.relu, F.relu),
    "relu6": (jax.nn.relu6, F.relu6),
    "elu": (lambda x: jax.nn.elu(x, 0.7), lambda x: F.elu(x, 0.7)),
    "celu": (lambda x: jax.nn.celu(x, 0.7), lambda x: F.celu(x, 0.7)),
    "selu": (jax.nn.selu, F.selu),
    "gelu": (functools.partial(jax.nn.gelu, approximate=False), F.gelu),
    "gelu tanh": (jax.nn.gelu, lambda x: F.gelu(x, approximate="tanh")),
    "silu": (jax.nn.silu, F.silu),
    "mish": (jax.nn.mish, F.mish),
    "sigmoid": (jax.nn.sigmoid, torch.sigmoid),
    "logsigmoid": (jax.nn.log_sigmoid, F.logsigmoid),
    "softsign": (jax.nn.soft_sign, F.softsign),
    "tanhshrink": (lambda x: x - jnp.tanh(x), F.tanhshrink),
    "glu": (lambda x: jax.nn.glu(x, -1), F.glu),
    "softmax": (lambda x: jax.nn.softmax(x, 1), lambda x: F.softmax(x, 1)),
    "log_softmax": (lambda x: jax.nn.log_softmax(x, 1), lambda x: F.log_softmax(x, 1)),
}


@pytest.mark.parametrize("case", CASES)
def test_helper_agrees(case, agree):
    agree(*CASES[case], X)


@pytest.mark.parametrize("case", NATIVE)
def test_native_function_needs_no_helper(case, agree):
    agree(*NATIVE[case], X)


@pytest.mark.parametrize("shape", [(2, 3, 4), (2, 3)])
def test_prelu(shape, agree):
    agree(a.prelu, F.prelu, np.resize(X, shape), SLOPES)
    agree(a.prelu, F.prelu, X, SLOPES[:1])
    np.testing.assert_allclose(a.PReLU()(X), torch.nn.PReLU()(torch.tensor(X)).detach(), rtol=1e-6)


def test_nan_stays_nan():
    x = jnp.array([jnp.nan])
    for f in (a.hardshrink, a.softshrink, a.hardtanh, a.hardsigmoid, a.hardswish, a.leaky_relu, a.softplus):
        assert jnp.isnan(f(x)).all(), f


def test_dropout_drops_with_probability_p():
    x = jnp.ones((100, 200))
    y = a.dropout(x, 0.3, key=KEY)
    np.testing.assert_allclose(np.unique(y), [0, 1 / 0.7], rtol=1e-6)
    assert abs(float((y == 0).mean()) - 0.3) < 0.01
    assert not a.dropout(x, 1.0, key=KEY).any() and a.dropout(x, 0.3, key=KEY, inference=True) is x


def test_channels_are_dropped_as_a_whole():
    y = a.ChannelDropout(0.5)(jnp.ones((20, 30, 2, 2)), key=KEY)
    assert set(np.unique(y.sum((2, 3)))) == {0.0, 8.0}


def test_alpha_dropout_keeps_mean_and_variance():
    y = a.alpha_dropout(jax.random.normal(KEY, (100, 1000)), 0.3, key=jax.random.key(1))
    assert abs(float(y.mean())) < 0.02 and abs(float(y.std()) - 1) < 0.02


def test_gumbel_softmax():
    logits = jnp.log(jnp.array([[0.1, 0.2, 0.7]]).repeat(20000, 0))
    hard = a.gumbel_softmax(logits, hard=True, key=KEY)
    np.testing.assert_allclose(hard.mean(0), [0.1, 0.2, 0.7], atol=0.02)
    soft = jax.grad(lambda x: (a.gumbel_softmax(x, key=KEY) * X[0, 0, :3]).sum())(logits[:4])
    np.testing.assert_allclose(
        jax.grad(lambda x: (a.gumbel_softmax(x, hard=True, key=KEY) * X[0, 0, :3]).sum())(logits[:4]), soft, atol=1e-5
    )
