"""State dicts have torch's names, order and shapes; files go both ways."""

import collections
import pickle

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest
import safetensors.torch
import torch
from torch import nn

from torch2jax.runtime import checkpoints as c
from torch2jax.runtime.batching import batched
from torch2jax.runtime.buffers import buffer, trainable
from torch2jax.runtime.normalization import BatchNorm

KEY = jax.random.key(0)


class TorchNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4), nn.ReLU())
        self.blocks = nn.ModuleList([nn.Linear(4, 4), nn.Linear(4, 4, bias=False)])
        self.scale = nn.Parameter(torch.full((4,), 2.0))
        self.register_buffer("offset", torch.arange(4.0))

    def forward(self, x):
        x = self.stem(x).mean((2, 3))
        for block in self.blocks:
            x = block(x)
        return x * self.scale + self.offset


class Net(eqx.Module):
    stem: eqx.nn.Sequential
    blocks: list[eqx.nn.Linear]
    scale: jax.Array
    offset: jax.Array = buffer()
    cache: np.ndarray = buffer(persistent=False)

    def __init__(self, *, key):
        conv = eqx.nn.Conv2d(3, 4, 3, key=key)
        self.stem = eqx.nn.Sequential([conv, BatchNorm(4), eqx.nn.Lambda(jax.nn.relu)])
        self.blocks = [eqx.nn.Linear(4, 4, key=key), eqx.nn.Linear(4, 4, use_bias=False, key=key)]
        self.scale, self.offset, self.cache = jnp.ones(4), jnp.zeros(4), np.zeros(2)

    def __call__(self, x, state):
        x, state = batched(self.stem)(x, state)
        x = x.mean((2, 3))
        for block in self.blocks:
            x = batched(block)(x)
        return x * self.scale + self.offset, state


@pytest.fixture
def pair():
    theirs = TorchNet()
    theirs(torch.randn(5, 3, 6, 6))
    return theirs, *eqx.nn.make_with_state(Net)(key=KEY)


def test_names_shapes_and_order(pair):
    theirs, model, state = pair
    expected = {name: tuple(value.shape) for name, value in theirs.state_dict().items()}
    ours = c.state_dict(model, state)
    assert {name: value.shape for name, value in ours.items()} == expected
    assert list(ours) == list(expected)
    assert [name for name, _ in c.named_parameters(model)] == [name for name, _ in theirs.named_parameters()]
    assert sum(p.size for p in c.parameters(model)) == sum(p.numel() for p in theirs.parameters())


def test_buffers_are_not_trained(pair):
    _, model, state = pair

    def step(model, x):
        params, constants = eqx.partition(model, trainable(model))
        return jax.grad(lambda params: eqx.combine(params, constants)(x, state)[0].sum())(params)

    grads = eqx.filter_jit(step)(model, jnp.ones((5, 3, 6, 6)))
    assert grads.offset is None and grads.cache is None and grads.scale.shape == (4,)


def test_loaded_model_computes_the_same(pair):
    theirs, model, state = pair
    model, state = c.load_state_dict(model, theirs.state_dict(), state=state)
    x = torch.randn(5, 3, 6, 6)
    y, _ = eqx.filter_jit(eqx.nn.inference_mode(model))(jnp.asarray(x.numpy()), state)
    np.testing.assert_allclose(y, theirs.eval()(x).detach(), atol=1e-5)
    theirs.load_state_dict({name: torch.tensor(value) for name, value in c.state_dict(model, state).items()})


def test_errors_name_all_entries(pair):
    theirs, model, state = pair
    wrong = dict(theirs.state_dict())
    del wrong["scale"]
    wrong |= {"extra": torch.ones(2), "blocks.0.bias": torch.ones(3)}
    with pytest.raises(ValueError) as error:
        c.load_state_dict(model, wrong, state=state)
    for text in ("missing scale (4,)", "unexpected extra (2,)", "misshapen blocks.0.bias: (3,) in the file"):
        assert text in str(error.value)
    del wrong["blocks.0.bias"]
    c.load_state_dict(model, wrong, strict=False, state=state)


def test_state_is_not_forgotten(pair):
    _, model, _ = pair
    with pytest.raises(ValueError, match="running_mean lives in the model's state"):
        c.state_dict(model)


def test_tied_weight_is_accepted_only_if_equal():
    class Tied(eqx.Module):
        embed: eqx.nn.Embedding
        head: eqx.nn.Linear

    head = eqx.tree_at(lambda m: m.weight, eqx.nn.Linear(3, 5, use_bias=False, key=KEY), None)
    model = Tied(eqx.nn.Embedding(5, 3, key=KEY), head)
    weight = np.ones((5, 3), np.float32)
    assert c.load_state_dict(model, {"embed.weight": weight, "head.weight": weight}).head.weight is None
    with pytest.raises(ValueError, match=r"unexpected head.weight"):
        c.load_state_dict(model, {"embed.weight": weight, "head.weight": 2 * weight})


def contents():
    t = torch.arange(12.0).reshape(3, 4)
    return {
        "tensors": [t, t.T, t[1:, ::2], torch.tensor(3), torch.zeros(0, 2), torch.randn(2).to(torch.bfloat16)],
        "kinds": {
            str(d): torch.ones(2).to(d) for d in (torch.float64, torch.float16, torch.int64, torch.int32, torch.int8)
        },
        "more": {str(d): torch.ones(2).to(d) for d in (torch.uint8, torch.bool, torch.complex64, torch.int16)},
        "parameter": nn.Parameter(t),
        "plain": (1, -(2**40), 2.5, "text", None, True, {"a": [1]}),
        "ordered": collections.OrderedDict(a=t),
        "optimizer": torch.optim.Adam([nn.Parameter(t)], lr=0.1).state_dict(),
    }


def same(left, right):
    if isinstance(right, torch.Tensor):
        right = right.detach()
        expected = right.float().numpy() if right.dtype == torch.bfloat16 else right.numpy()
        assert str(left.dtype) == str(right.dtype).removeprefix("torch.") and left.shape == expected.shape
        np.testing.assert_array_equal(np.asarray(left, expected.dtype), expected)
    elif isinstance(right, dict):
        assert list(left) == list(right)
        for key in right:
            same(left[key], right[key])
    elif isinstance(right, (list, tuple)):
        assert type(left) is type(right) and len(left) == len(right)
        for pair in zip(left, right):
            same(*pair)
    else:
        assert left == right and type(left) is type(right)


def test_reads_files_of_torch(tmp_path):
    torch.save(contents(), tmp_path / "x.pt")
    same(c.load(tmp_path / "x.pt"), contents() | {"tensors": torch.load(tmp_path / "x.pt")["tensors"]})


def test_torch_reads_our_files(tmp_path):
    torch.save(contents(), tmp_path / "x.pt")
    ours = c.load(tmp_path / "x.pt")
    c.save(ours, tmp_path / "y.pt")
    same(ours, torch.load(tmp_path / "y.pt", weights_only=True))
    same(c.load(tmp_path / "y.pt"), torch.load(tmp_path / "x.pt"))


class Settings:
    def __init__(self, rate):
        self.rate, self.scales = rate, np.arange(3.0)


def test_torch_reads_our_objects(tmp_path):
    c.save({"settings": Settings(0.5), "epoch": 3}, tmp_path / "x.pt")
    read = torch.load(tmp_path / "x.pt", weights_only=False)
    assert isinstance(read["settings"], Settings)
    assert (read["settings"].rate, read["settings"].scales.tolist(), read["epoch"]) == (0.5, [0.0, 1.0, 2.0], 3)


def test_other_objects_are_refused(tmp_path):
    torch.save({"model": nn.Linear(2, 2)}, tmp_path / "x.pt")
    with pytest.raises(pickle.UnpicklingError, match=r"Linear in the file"):
        c.load(tmp_path / "x.pt")
    with pytest.raises(TypeError, match="cannot save a object"):
        c.save({"x": object()}, tmp_path / "y.pt")
    (tmp_path / "z.pt").write_bytes(b"nothing")
    with pytest.raises(ValueError, match="not a zip file"):
        c.load(tmp_path / "z.pt")


def test_safetensors(tmp_path):
    tensors = {"a": torch.arange(6.0).reshape(2, 3), "b": torch.ones(2).to(torch.bfloat16), "c": torch.tensor([True])}
    safetensors.torch.save_file(tensors, tmp_path / "x.safetensors")
    same(dict(sorted(c.load(tmp_path / "x.safetensors").items())), tensors)
    c.save(c.load(tmp_path / "x.safetensors"), tmp_path / "y.safetensors")
    same(c.load(tmp_path / "y.safetensors"), safetensors.torch.load_file(tmp_path / "y.safetensors"))


def test_any_pytree_can_be_stored(tmp_path, pair):
    import optax

    _, model, _ = pair
    optimizer = optax.adam(0.1)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    changed = jax.tree.map(lambda x: x + 1, opt_state)
    c.save({"optimizer": c.tree_entries(changed)}, tmp_path / "x.pt")
    restored = c.restore_tree(opt_state, c.load(tmp_path / "x.pt")["optimizer"])
    assert eqx.tree_equal(restored, changed)
