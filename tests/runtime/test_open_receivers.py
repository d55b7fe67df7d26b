"""Methods of what may be an array, a module or another object do what torch's do for each of them."""

from functools import partial
from types import SimpleNamespace

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest
import torch

from torch2jax.runtime import open_receivers as r

CPU = jax.devices("cpu")[0]


class Batch:
    """An object of another library that can be moved."""

    def __init__(self, place="nowhere"):
        self.place = place

    def to(self, target):
        return Batch(target)

    def half(self):
        return Batch("half")

    def cpu(self):
        return Batch("cpu")

    def numpy(self):
        return "its own"


@pytest.mark.parametrize("x", [jnp.arange(3), np.arange(3)])
def test_arrays_are_moved_and_cast(x):
    assert r.call_or_keep(x, "cpu") is x
    assert isinstance(r.to_device(x, CPU), jax.Array) and r.to_device(x, "cuda") is x
    assert r.cast(x, jnp.float16).dtype == r.to(x, jnp.float16).dtype == "float16"
    assert r.to(x, jnp.ones(2)).dtype == "float32" and r.to(x, None) is x and r.to(x, CPU).tolist() == [0, 1, 2]
    assert isinstance(r.to_numpy(x), np.ndarray) and r.data_of(x).tolist() == [0, 1, 2]


def test_objects_have_methods_of_their_own():
    assert r.call_or_keep(Batch(), "cpu").place == "cpu" and r.to_numpy(Batch()) == "its own"
    assert r.to_device(Batch(), CPU).place is CPU and r.to(Batch(), "cuda").place == "cuda"
    assert r.cast(Batch(), jnp.float16).place == jnp.float16 and r.cast(Batch(), jnp.float16, "half").place == "half"


def test_of_modules_the_floats_are_cast():
    layer = {"linear": eqx.nn.Linear(2, 3, key=jax.random.key(0)), "steps": jnp.arange(2), "name": "n"}
    half = r.cast(layer, jnp.float16, "half")
    assert half["linear"].weight.dtype == "float16" and half["steps"].dtype == "int32" and half["name"] == "n"
    np.testing.assert_array_equal(r.to_device(layer, CPU)["linear"].weight, layer["linear"].weight)


@pytest.mark.parametrize("data", [[1, 2], [[0.5], [2.5]], np.arange(4.0), np.float64(2.0) * np.ones((2, 2))])
def test_legacy_tensors_of_data(data):
    ours, theirs = r.legacy_tensor(data), torch.FloatTensor(data)
    assert str(ours.dtype) == str(theirs.dtype).removeprefix("torch.")
    np.testing.assert_array_equal(ours, theirs)


def test_legacy_tensors_of_lengths():
    assert r.legacy_tensor(3, int).shape == torch.LongTensor(3).shape
    with pytest.raises(TypeError, match="shape or data"):
        r.legacy_tensor((2, 3))


def test_legacy_tensors_of_shapes():
    space = SimpleNamespace(shape=(2, 3))
    np.testing.assert_array_equal(r.legacy_tensor_of_shape(space), torch.FloatTensor(space.shape))
    assert r.legacy_tensor_of_shape(jnp.ones((2, 3)), int).shape == torch.LongTensor(torch.ones(2, 3).shape).shape
    with pytest.raises(TypeError, match="shape or data"):
        r.legacy_tensor_of_shape(np.ones((2, 3)))


def test_nothing_flows_through_data():
    assert jax.grad(lambda x: (r.data_of(x) * x).sum())(jnp.full(2, 3.0)).tolist() == [3.0, 3.0]


def test_layers_are_made_with_torchs_arguments():
    names = "in_features out_features bias device"
    make = partial(r.layer_from, eqx.nn.Linear, names, 2, {"bias": "use_bias"})
    assert make(2, 3, key=jax.random.key(0)).bias.shape == (3,)
    assert make(2, 3, False, key=jax.random.key(0)).bias is None
    assert make(out_features=3, in_features=2, bias=False, device="cpu", key=jax.random.key(0)).weight.shape == (3, 2)


def test_what_a_layer_has_no_argument_for_keeps_its_default():
    make = partial(r.layer_from, eqx.nn.GroupNorm, "num_groups num_channels bias", 2, {"bias": (True,)}, 2, 4)
    assert make(bias=True).groups == make().groups == 2
    with pytest.raises(NotImplementedError, match="GroupNorm is translated with bias=True only"):
        make(bias=False)


@pytest.mark.parametrize("kind", [jnp.asarray, np.asarray])
def test_methods_that_arrays_of_jax_lack(kind):
    data = np.array([[-3.0, 1.0, 1.0], [2.0, -4.0, 2.0]], np.float32)
    x, t = kind(data), torch.tensor(data)
    for made, wanted in [
        (r.magnitude(x), t.abs()),
        (r.cloned(x), t.clone()),
        (r.expanded(x[:, :1], -1, 2), t[:, :1].expand(-1, 2)),
        (r.flipped(x, 1), t.flip(1)),
        (r.flipped(x, 0, 1), t.flip(0, 1)),
        (r.flipped(x, (0, 1)), t.flip((0, 1))),
        (r.unique_values(x), t.unique()),
        (r.multiplied(x, 2), t.mul(2)),
        (r.multiplied(x, x > 0, "multiply"), t.multiply(t > 0)),
        (r.divided(x, 2), t.div(2)),
        (r.subtracted(x, t.numpy()[0]), t.sub(t[0])),
        (r.resized(x, (3, 2)), t.reshape(3, 2)),
        (r.resized(x, 3, 2), t.reshape(3, 2)),
        (r.squeezed(x[:1], 0), t[:1].squeeze(0)),
        (r.squeezed(x, 0), t.squeeze(0)),
    ]:
        np.testing.assert_array_equal(made, wanted.numpy())
    np.testing.assert_allclose(r.logarithm(abs(x)), t.abs().log().numpy(), rtol=1e-6)
    assert r.is_equal(x, x) is True and r.is_equal(x, x + 1) is False and r.is_equal(x, x[0]) is False


def test_methods_of_other_objects_are_theirs():
    class Other:
        def __getattr__(self, name):
            return lambda *args: (name, *args)

    x = Other()
    assert [r.magnitude(x), r.cloned(x), r.unique_values(x)] == [("abs",), ("clone",), ("unique",)]
    assert [r.expanded(x, 2, 3), r.flipped(x, 0), r.is_equal(x, 1)] == [("expand", 2, 3), ("flip", 0), ("equal", 1)]
    assert r.squeezed(x, 1) == ("squeeze", 1)
    assert [r.multiplied(x, 1), r.multiplied(x, 1, "multiply"), r.logarithm(x)] == [
        ("mul", 1),
        ("multiply", 1),
        ("log",),
    ]
    assert [r.divided(x, 1), r.subtracted(x, 2), r.resized(x, (2, 3))] == [("div", 1), ("sub", 2), ("resize", (2, 3))]
