"""Convolutions agree with torch for every rank and option; layers draw and name their weights as torch does."""

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest
import torch
import torch.nn.functional as F

from torch2jax.runtime import convolution as c

RNG = np.random.default_rng(0)


def normal(*shape):
    return RNG.normal(size=shape).astype(np.float32)


SPACE = {1: (9,), 2: (6, 7), 3: (4, 5, 4)}


@pytest.mark.filterwarnings("ignore:Using padding='same'")
@pytest.mark.parametrize(
    "ndim, options",
    [
        (1, {"padding": "same", "dilation": 2}),
        (2, {"stride": 2, "padding": 1}),
        (2, {"padding": "same"}),
        (2, {"padding": "valid", "stride": (1, 2)}),
        (2, {"groups": 2, "dilation": (2, 1), "padding": (2, 0)}),
        (3, {"padding": 1}),
    ],
)
def test_conv(ndim, options, agree):
    x, w, b = normal(2, 4, *SPACE[ndim]), normal(6, 4 // options.get("groups", 1), *(3, 2, 2)[:ndim]), normal(6)
    f = getattr(F, f"conv{ndim}d")
    agree(lambda *a: c.conv(*a, **options), lambda *a: f(*a, **options), x, w, b, tolerance=1e-4)


@pytest.mark.filterwarnings("ignore:Using padding='same'")
def test_conv_even_kernel_and_unbatched(agree):
    x, w = normal(3, 5, 6), normal(2, 3, 2, 4)
    agree(lambda *a: c.conv(*a, padding="same"), lambda *a: F.conv2d(*a, padding="same"), x, w)


@pytest.mark.parametrize(
    "ndim, options",
    [
        (1, {"stride": 3, "padding": 2, "output_padding": 1}),
        (2, {"stride": (2, 1), "padding": 1, "groups": 2}),
        (2, {"stride": 2, "output_padding": 1, "dilation": 2}),
        (3, {"stride": 2}),
    ],
)
def test_conv_transpose(ndim, options, agree):
    x, w = normal(2, 4, *SPACE[ndim]), normal(4, 6 // options.get("groups", 1), *(3, 2, 2)[:ndim])
    f = getattr(F, f"conv_transpose{ndim}d")
    agree(lambda *a: c.conv_transpose(*a, **options), lambda *a: f(*a, **options), x, w, normal(6), tolerance=1e-4)


def test_layer_agrees():
    theirs = torch.nn.ConvTranspose2d(4, 6, 3, 2, 1, 1, groups=2, dilation=2)
    ours = c.ConvTranspose2d(4, 6, 3, 2, 1, 1, groups=2, dilation=2, key=jax.random.key(0))
    assert ours.weight.shape == tuple(theirs.weight.shape) and ours.bias.shape == tuple(theirs.bias.shape)
    new = (jnp.asarray(theirs.weight.detach().numpy()), jnp.asarray(theirs.bias.detach().numpy()))
    ours = eqx.tree_at(lambda m: (m.weight, m.bias), ours, new)
    x = normal(2, 4, 5, 5)
    np.testing.assert_allclose(eqx.filter_jit(ours)(x), theirs(torch.tensor(x)).detach(), atol=1e-5)
    np.testing.assert_allclose(ours(x[0]), theirs(torch.tensor(x[0])).detach(), atol=1e-5)


def test_initial_weights_have_the_bounds_of_torch():
    theirs = torch.nn.ConvTranspose1d(20, 30, 5)
    ours = c.ConvTranspose1d(20, 30, 5, key=jax.random.key(0))
    for left, right in zip((ours.weight, ours.bias), (theirs.weight, theirs.bias)):
        right = right.detach().numpy()
        assert np.isclose(left.std(), right.std(), rtol=0.4) and np.isclose(
            abs(left).max(), abs(right).max(), rtol=0.15
        )


@pytest.mark.parametrize("mode", ["zeros", "reflect", "replicate", "circular"])
def test_native_convolution_has_the_padding_modes_of_torch(mode):
    theirs = torch.nn.Conv2d(2, 3, 3, padding=(1, 2), padding_mode=mode)
    ours = eqx.nn.Conv2d(2, 3, 3, padding=(1, 2), padding_mode=mode, key=jax.random.key(0))
    weight, bias = (jnp.asarray(p.detach().numpy()) for p in (theirs.weight, theirs.bias))
    ours = eqx.tree_at(lambda m: (m.weight, m.bias), ours, (weight, bias.reshape(3, 1, 1)))
    x = normal(2, 2, 5, 6)
    np.testing.assert_allclose(jax.vmap(ours)(x), theirs(torch.tensor(x)).detach(), atol=1e-5)
