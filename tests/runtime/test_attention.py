"""Attention agrees with torch: masks, causal masks, grouped heads, averaged weights."""

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest
import torch
import torch.nn.functional as F

from torch2jax.runtime import attention as a
from torch2jax.runtime import checkpoints

RNG = np.random.default_rng(0)
KEY = jax.random.key(0)


def normal(*shape):
    return RNG.normal(size=shape).astype(np.float32)


Q, K, V = normal(2, 4, 5, 8), normal(2, 4, 6, 8), normal(2, 4, 6, 3)
MASK = RNG.random((2, 1, 5, 6)) < 0.6
MASK[0, 0, 2] = False
BIAS = normal(5, 6)


@pytest.mark.parametrize(
    "options",
    [{}, {"is_causal": True}, {"scale": 0.3}, {"attn_mask": MASK}, {"attn_mask": BIAS}],
    ids=lambda o: str(list(o)),
)
def test_scaled_dot_product_attention(options, agree):
    tensors = {k: torch.tensor(v) if isinstance(v, np.ndarray) else v for k, v in options.items()}
    agree(
        lambda *x: a.scaled_dot_product_attention(*x, **options),
        lambda *x: F.scaled_dot_product_attention(*x, **tensors),
        Q,
        K,
        V,
    )


def test_grouped_heads(agree):
    agree(
        lambda *x: a.scaled_dot_product_attention(*x, enable_gqa=True),
        lambda *x: F.scaled_dot_product_attention(*x, enable_gqa=True),
        Q,
        K[:, :2],
        V[:, :2],
    )


def test_attention_dropout():
    v = jnp.ones((1, 4, 6, 3))
    y = a.scaled_dot_product_attention(Q[:1], K[:1], v, dropout_p=0.5, dropout_key=KEY)
    assert not jnp.allclose(y, 1) and abs(float(y.mean()) - 1) < 0.3


def pair(*args, **options):
    theirs = torch.nn.MultiheadAttention(*args, **options)
    for parameter in theirs.parameters():
        torch.nn.init.normal_(parameter, std=0.3)
    ours = a.MultiheadAttention(*args, key=KEY, **options)
    assert list(checkpoints.state_dict(ours)) == list(theirs.state_dict())
    return checkpoints.load_state_dict(ours, theirs.state_dict()), theirs


@pytest.mark.parametrize("options", [{}, {"batch_first": True}, {"bias": False}, {"kdim": 5, "vdim": 7}], ids=str)
@pytest.mark.parametrize("average", [True, False])
def test_multihead_attention(options, average):
    ours, theirs = pair(8, 2, **options)
    q, k, v = normal(3, 4, 8), normal(3, 4, options.get("kdim", 8)), normal(3, 4, options.get("vdim", 8))
    expected = theirs(*map(torch.tensor, (q, k, v)), average_attn_weights=average)
    actual = eqx.filter_jit(ours)(*map(jnp.asarray, (q, k, v)), average_attn_weights=average)
    for left, right in zip(actual, expected, strict=True):
        np.testing.assert_allclose(left, right.detach(), atol=1e-5)


def test_masks_are_true_where_ignored():
    ours, theirs = pair(8, 2, batch_first=True)
    x, padding, mask = (
        normal(3, 4, 8),
        np.arange(4)[None] >= np.array([[4], [3], [2]]),
        np.triu(np.ones((4, 4), bool), 1),
    )
    for given in ({"key_padding_mask": padding}, {"attn_mask": mask}, {"attn_mask": np.repeat(normal(3, 4, 4), 2, 0)}, {"attn_mask": mask, "key_padding_mask": padding}):  # fmt: skip
        expected, _ = theirs(*[torch.tensor(x)] * 3, **{k: torch.tensor(v) for k, v in given.items()})
        y, weights = ours(*[jnp.asarray(x)] * 3, need_weights=False, **given)
        np.testing.assert_allclose(y, expected.detach(), atol=1e-5)
        assert weights is None


@pytest.mark.parametrize("case", ["static", "separate", "added"])
def test_functional_form(case):
    x, y, options = normal(4, 2, 8), normal(6, 2, 8), {}
    weights = dict(zip(("q_proj_weight", "k_proj_weight", "v_proj_weight"), normal(3, 8, 8)))
    if case == "static":
        options = {"static_k": normal(4, 3, 4), "static_v": normal(4, 3, 4)}
    elif case == "separate":
        options = {"use_separate_proj_weight": True, **weights}
    extra = (normal(1, 1, 8), normal(1, 1, 8)) if case == "added" else (None, None)
    places = [
        x,
        y,
        y,
        8,
        2,
        None if case == "separate" else normal(24, 8),
        normal(24),
        *extra,
        True,
        0.0,
        normal(8, 8),
        normal(8),
    ]
    tensors = [torch.tensor(item) if isinstance(item, np.ndarray) else item for item in places]
    expected = F.multi_head_attention_forward(*tensors, **{k: torch.tensor(v) for k, v in options.items()})
    for left, right in zip(a.multi_head_attention_forward(*places, **options), expected, strict=True):
        np.testing.assert_allclose(left, right.detach(), atol=1e-5)


def test_unbatched_input():
    ours, theirs = pair(8, 2)
    x = normal(4, 8)
    for left, right in zip(ours(x, x, x), theirs(*[torch.tensor(x)] * 3), strict=True):
        np.testing.assert_allclose(left, right.detach(), atol=1e-5)


def test_dropout_only_in_training():
    layer = a.MultiheadAttention(8, 2, dropout=0.5, key=KEY)
    x = normal(3, 4, 8)
    still = eqx.nn.inference_mode(layer)
    assert not jnp.allclose(layer(x, x, x, key=KEY)[0], still(x, x, x)[0])
    assert abs(layer.in_proj_weight).max() <= (6 / 32) ** 0.5 and not layer.out_proj.bias.any()


@pytest.mark.parametrize("need_weights", [False, True])
def test_a_query_that_may_look_at_nothing(need_weights):
    theirs = torch.nn.MultiheadAttention(8, 2, batch_first=True)
    ours = a.MultiheadAttention(8, 2, batch_first=True, key=jax.random.key(0))
    ours = checkpoints.load_state_dict(ours, theirs.state_dict())
    x, ignored = torch.randn(2, 3, 8), torch.tensor([[True, True, True], [False, False, True]])
    expected, _ = theirs(x, x, x, key_padding_mask=ignored, need_weights=need_weights)
    x, ignored = jnp.asarray(x.numpy()), jnp.asarray(ignored.numpy())
    y, _ = ours(x, x, x, key_padding_mask=ignored, need_weights=need_weights)
    np.testing.assert_allclose(y, expected.detach(), atol=1e-5)
    if not need_weights:
        gradient = jax.grad(lambda x: ours(x, x, x, ignored, False)[0].sum())(x)
        assert jnp.isfinite(gradient).all()
