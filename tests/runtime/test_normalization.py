"""Normalisation agrees with torch: outputs, gradients, running statistics over several steps."""

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest
import torch
import torch.nn.functional as F

from torch2jax.runtime import normalization as n
from torch2jax.runtime.batching import batched

RNG = np.random.default_rng(0)
X = (3 * RNG.normal(size=(2, 6, 4, 5)) + 1).astype(np.float32)
W, B = RNG.normal(size=6).astype(np.float32), RNG.normal(size=6).astype(np.float32)
W5, B5 = RNG.normal(size=(4, 5)).astype(np.float32), RNG.normal(size=(4, 5)).astype(np.float32)
ZERO_ROW = np.where(np.arange(6)[None, :, None, None] == 2, 0, X).astype(np.float32)

CASES = {
    "batch_norm training": (
        lambda x, w, b: n.batch_norm(x, None, None, w, b, training=True),
        lambda x, w, b: F.batch_norm(x, None, None, w, b, training=True),
        X,
        W,
        B,
    ),
    "batch_norm eval": (
        lambda x, w, b: n.batch_norm(x, B, np.exp(W), w, b),
        lambda x, w, b: F.batch_norm(x, torch.tensor(B), torch.tensor(np.exp(W)), w, b),
        X,
        W,
        B,
    ),
    "layer_norm": (lambda x, w, b: n.layer_norm(x, (4, 5), w, b), lambda x, w, b: F.layer_norm(x, (4, 5), w, b), X, W5, B5),
    "group_norm": (lambda x, w, b: n.group_norm(x, 3, w, b), lambda x, w, b: F.group_norm(x, 3, w, b), X, W, B),
    "instance_norm": (lambda x, w, b: n.instance_norm(x, w, b), lambda x, w, b: F.instance_norm(x, None, None, w, b), X, W, B),
    "rms_norm": (lambda x, w: n.rms_norm(x, (4, 5), w), lambda x, w: F.rms_norm(x, (4, 5), w), X, W5),
    "rms_norm eps": (lambda x: n.rms_norm(x, (5,), eps=0.1), lambda x: F.rms_norm(x, (5,), eps=0.1), X),
    "normalize": (n.normalize, F.normalize, ZERO_ROW),
    "normalize p1": (lambda x: n.normalize(x, 1.0, -1), lambda x: F.normalize(x, 1.0, -1), X),
    "local_response_norm": (lambda x: n.local_response_norm(x, 3, 1.0), lambda x: F.local_response_norm(x, 3, 1.0), X),
    "local_response_norm even": (lambda x: n.local_response_norm(x, 4, 0.1), lambda x: F.local_response_norm(x, 4, 0.1), X),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_agrees_with_torch(case, agree):
    agree(*CASES[case], tolerance=2e-5)


@pytest.mark.parametrize("momentum", [0.1, 0.3, None])
@pytest.mark.parametrize("shape", [(8, 6), (4, 6, 5), (2, 6, 4, 5)])
def test_batch_norm_keeps_the_statistics_of_torch(shape, momentum):
    theirs = {2: torch.nn.BatchNorm1d, 3: torch.nn.BatchNorm1d, 4: torch.nn.BatchNorm2d}[len(shape)](
        6, momentum=momentum
    )
    ours, state = eqx.nn.make_with_state(n.BatchNorm)(6, momentum=momentum)
    run = eqx.filter_jit(lambda layer, x, state: layer(x, state))
    for _ in range(3):
        x = RNG.normal(2, 3, size=shape).astype(np.float32)
        expected = theirs(torch.tensor(x))
        y, state = run(ours, jnp.asarray(x), state)
        np.testing.assert_allclose(y, expected.detach(), atol=1e-5)
    for name in ("running_mean", "running_var", "num_batches_tracked"):
        np.testing.assert_allclose(state.get(getattr(ours, name)), getattr(theirs, name), rtol=1e-5, atol=1e-6)
    y, new_state = run(eqx.nn.inference_mode(ours), jnp.asarray(x), state)
    np.testing.assert_allclose(y, theirs.eval()(torch.tensor(x)).detach(), atol=1e-5)
    np.testing.assert_array_equal(new_state.get(ours.running_mean), state.get(ours.running_mean))


def test_batch_norm_without_statistics_uses_the_batch_in_evaluation():
    theirs = torch.nn.BatchNorm2d(6, track_running_stats=False, affine=False).eval()
    ours, state = eqx.nn.make_with_state(n.BatchNorm)(6, track_running_stats=False, affine=False)
    y, _ = eqx.nn.inference_mode(ours)(jnp.asarray(X), state)
    np.testing.assert_allclose(y, theirs(torch.tensor(X)), atol=1e-5)


def test_one_value_per_channel_is_refused_in_training():
    ours, state = eqx.nn.make_with_state(n.BatchNorm)(6)
    with pytest.raises(ValueError, match="more than 1 value per channel"):
        ours(jnp.ones((1, 6)), state)


@pytest.mark.parametrize("affine", [True, False])
def test_instance_norm_layer(affine):
    y = n.InstanceNorm2d(6, affine=affine)(jnp.asarray(X))
    np.testing.assert_allclose(y, torch.nn.InstanceNorm2d(6, affine=affine)(torch.tensor(X)).detach(), atol=1e-5)


NATIVE = {
    "LayerNorm": (lambda: eqx.nn.LayerNorm(5), lambda: torch.nn.LayerNorm(5)),
    "LayerNorm 2": (lambda: eqx.nn.LayerNorm((4, 5)), lambda: torch.nn.LayerNorm((4, 5))),
    "GroupNorm": (lambda: eqx.nn.GroupNorm(3, 6), lambda: torch.nn.GroupNorm(3, 6)),
    "RMSNorm": (lambda: eqx.nn.RMSNorm(5, eps=float(jnp.finfo(jnp.float32).eps), use_bias=False), lambda: torch.nn.RMSNorm(5)),
}  # fmt: skip


@pytest.mark.parametrize("name", NATIVE)
@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
def test_native_layers_are_the_same(name, dtype):
    ours, theirs = NATIVE[name][0](), NATIVE[name][1]().to(getattr(torch, dtype))
    ours = jax.tree.map(lambda x: x.astype(dtype) if eqx.is_array(x) else x, ours)
    y, expected = batched(ours)(jnp.asarray(X, dtype)), theirs(torch.tensor(X).to(getattr(torch, dtype)))
    tolerance = 1e-5 if dtype == "float32" else 2e-2
    assert y.dtype == dtype
    np.testing.assert_allclose(np.asarray(y, np.float32), expected.float().detach(), atol=tolerance, rtol=tolerance)
