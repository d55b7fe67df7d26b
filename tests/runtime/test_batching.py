"""`batched` runs single-example layers, Sequentials, stateful layers and functions on batches."""

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest

from torch2jax.runtime.batching import batched, call
from torch2jax.runtime.keys import split_key
from torch2jax.runtime.normalization import BatchNorm

KEY = jax.random.key(0)


@pytest.mark.parametrize(
    "layer, shape, expected",
    [
        (eqx.nn.Linear(3, 2, key=KEY), (3,), (2,)),
        (eqx.nn.Linear(3, 2, key=KEY), (5, 4, 3), (5, 4, 2)),
        (eqx.nn.Linear(3, 2, key=KEY), (0, 3), (0, 2)),
        (eqx.nn.Conv1d(3, 2, 3, key=KEY), (5, 3, 8), (5, 2, 6)),
        (eqx.nn.Conv2d(3, 2, 3, key=KEY), (3, 8, 8), (2, 6, 6)),
        (eqx.nn.ConvTranspose2d(3, 2, 3, key=KEY), (5, 3, 8, 8), (5, 2, 10, 10)),
        (eqx.nn.LayerNorm((4, 3)), (2, 5, 4, 3), (2, 5, 4, 3)),
        (eqx.nn.RMSNorm(3), (2, 5, 3), (2, 5, 3)),
        (eqx.nn.GroupNorm(2, 4), (5, 4, 6, 6), (5, 4, 6, 6)),
        (eqx.nn.MaxPool2d(2, 2), (5, 4, 6, 6), (5, 4, 3, 3)),
        (eqx.nn.AvgPool1d(2, 2), (5, 4, 6), (5, 4, 3)),
        (eqx.nn.AdaptiveAvgPool2d(1), (5, 4, 6, 6), (5, 4, 1, 1)),
        (eqx.nn.Identity(), (5, 4), (5, 4)),
        (jax.nn.relu, (5, 4), (5, 4)),
        (jnp.tanh, (5, 4), (5, 4)),
    ],
)
def test_shapes(layer, shape, expected):
    assert batched(layer)(jnp.ones(shape)).shape == expected
    assert batched(layer)(jnp.ones(shape), key=KEY).shape == expected


def test_embedding_takes_indices_of_any_rank():
    assert batched(eqx.nn.Embedding(7, 3, key=KEY))(jnp.zeros((2, 5), int)).shape == (2, 5, 3)
    assert batched(eqx.nn.Embedding(7, 3, key=KEY))(jnp.array(2)).shape == (3,)


def test_sequential_threads_state_and_keys():
    class Scale(eqx.Module):
        """A layer without a key."""

        def __call__(self, x):
            return 2 * x

    def make():
        inner = eqx.nn.Sequential([BatchNorm(4), eqx.nn.Dropout(0.5)])
        return eqx.nn.Sequential([eqx.nn.Linear(3, 4, key=KEY), inner, eqx.nn.Lambda(jax.nn.relu), Scale()])

    model, state = eqx.nn.make_with_state(make)()
    run = eqx.filter_jit(lambda model, x, state, key: batched(model)(x, state, key=key))
    x = jax.random.normal(KEY, (8, 3))
    y, new_state = run(model, x, state, KEY)
    norm = model.layers[1].layers[0]
    assert y.shape == (8, 4)
    assert int(new_state.get(norm.num_batches_tracked)) == 1
    y, after = run(eqx.nn.inference_mode(model), x, new_state, None)
    np.testing.assert_array_equal(after.get(norm.running_mean), new_state.get(norm.running_mean))


def test_every_layer_returns_the_state_it_is_given():
    _, state = eqx.nn.make_with_state(BatchNorm)(4)
    for layer in (eqx.nn.LayerNorm(4), jax.nn.relu, eqx.nn.Sequential([eqx.nn.Identity()])):
        y, same = batched(layer)(jnp.ones((2, 4)), state)
        assert y.shape == (2, 4) and same is state


def test_dropout_gets_its_own_key():
    model = eqx.nn.Sequential([eqx.nn.Dropout(0.5), eqx.nn.Dropout(0.5)])
    y = batched(model)(jnp.ones(10000), key=KEY)
    assert abs(float((y > 0).mean()) - 0.25) < 0.03


def test_subclass_with_its_own_call_is_left_alone():
    class Doubled(eqx.nn.Linear):
        def __call__(self, x):
            return 2 * (x @ self.weight.T)

    class Residual(eqx.nn.Sequential):
        def __call__(self, x, *, key=None):
            return x + 1

    x = jnp.ones((2, 5, 3))
    assert batched(Doubled(3, 2, key=KEY))(x).shape == (2, 5, 2)
    np.testing.assert_array_equal(batched(Residual([eqx.nn.Identity()]))(x), x + 1)


def test_split_key():
    assert split_key(None, 3) == [None] * 3
    assert split_key(KEY, 3).shape == (3,)


def test_call_serves_layers_and_functions_of_any_kind():
    class Scaled(eqx.Module):
        def __call__(self, x, scale=2.0, *, key=None):
            return x * scale if key is None else x

    x = jnp.ones((5, 3))
    assert call(eqx.nn.Linear(3, 2, key=KEY), x, key=KEY).shape == (5, 2)
    assert call(eqx.nn.Sequential([eqx.nn.Linear(3, 2, key=KEY)]), x).shape == (5, 2)
    assert call(jax.nn.relu, x, key=KEY).shape == (5, 3)
    assert call(Scaled(), x, scale=3.0)[0, 0] == 3.0
    assert call(Scaled(), x, 3.0, key=KEY)[0, 0] == 1.0
    norm = eqx.nn.make_with_state(BatchNorm)(3)[0]
    for module in (norm, eqx.nn.Sequential([eqx.nn.Linear(3, 3, key=KEY), norm])):
        with pytest.raises(TypeError, match=r"BatchNorm keeps state.*Annotate the parameter"):
            call(module, x)


def test_call_passes_an_argument_that_is_named_state():
    class Cell(eqx.Module):
        def __call__(self, x, state):
            return x + state

    assert call(Cell(), jnp.ones(2), 2.0).tolist() == [3.0, 3.0]
    assert call(lambda x, state=1.0: x + state, jnp.ones(2)).tolist() == [2.0, 2.0]
