"""Stacks of transformer layers, whose constructors take layers."""

from __future__ import annotations

from typing import Any

import equinox as eqx
import jax
import pytest
import torch

from tests.layers.layer_calls import assert_same, read_arguments, run_jax, run_torch
from torch2jax.runtime.checkpoints import load_state_dict
from torch2jax.runtime.transformer import (
    TransformerDecoder,
    TransformerDecoderLayer,
    TransformerEncoder,
    TransformerEncoderLayer,
)


def _call(layer: Any, *args: Any, **kwargs: Any) -> Any:
    return layer(*args, **kwargs)


def _check_same(module: torch.nn.Module, layer: Any, inputs: str) -> None:
    arrays = {name: value.numpy().copy() for name, value in module.state_dict().items()}
    layer = eqx.nn.inference_mode(load_state_dict(layer, arrays))
    args, kwargs = read_arguments(inputs)
    assert_same(run_torch(module.eval(), args, kwargs), run_jax(_call, layer, args, kwargs), type(layer).__name__)


@pytest.mark.parametrize("norm", [False, True])
def test_encoder_is_that_of_torch(norm: bool) -> None:
    one = torch.nn.TransformerEncoderLayer(8, 2, 16)
    module = torch.nn.TransformerEncoder(one, 2, torch.nn.LayerNorm(8) if norm else None, enable_nested_tensor=False)
    layer = TransformerEncoderLayer(8, 2, 16, key=jax.random.key(0))
    layer = TransformerEncoder(layer, 2, norm=eqx.nn.LayerNorm(8) if norm else None)
    _check_same(module, layer, "array(5, 2, 8), array(5, 5)")


def test_decoder_is_that_of_torch() -> None:
    module = torch.nn.TransformerDecoder(torch.nn.TransformerDecoderLayer(8, 2, 16), 2, torch.nn.LayerNorm(8))
    layer = TransformerDecoder(TransformerDecoderLayer(8, 2, 16, key=jax.random.key(0)), 2, eqx.nn.LayerNorm(8))
    _check_same(module, layer, "array(5, 2, 8), array(4, 2, 8), array(5, 5)")


def test_layers_of_a_stack_start_equal_in_buffers_of_their_own() -> None:
    stack = TransformerEncoder(TransformerEncoderLayer(8, 2, 16, key=jax.random.key(0)), 2)
    first, second = (jax.tree.leaves(eqx.filter(layer, eqx.is_array)) for layer in stack.layers)
    assert all((a == b).all() and a is not b for a, b in zip(first, second, strict=True))


def test_dropout_draws_in_training_only() -> None:
    layer = TransformerEncoderLayer(8, 2, 16, dropout=0.5, key=jax.random.key(0))
    x = jax.random.normal(jax.random.key(1), (5, 2, 8))
    train = eqx.filter_jit(lambda key: layer(x, key=key))
    assert not (train(jax.random.key(2)) == train(jax.random.key(3))).all()
    quiet = eqx.filter_jit(eqx.nn.inference_mode(layer))
    assert (quiet(x) == quiet(x, key=jax.random.key(2))).all()
