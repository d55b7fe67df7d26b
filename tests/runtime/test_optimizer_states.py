"""States of optimizers in files: those of torch are read here, those that are written here are read by torch."""

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest
import torch
from flax import nnx

from torch2jax.runtime import checkpoints, optimizer_options
from torch2jax.runtime import nnx_parameter_groups as nnx_groups
from torch2jax.runtime.nnx_optimizer_states import restore_optimizer
from torch2jax.runtime.optimizer_states import load_optimizer_state, optimizer_state_dict
from torch2jax.runtime.parameter_groups import as_torch_optimizer

CASES = [
    ("ASGD", {}),
    ("Adadelta", {}),
    ("Adagrad", {"lr_decay": 0.1}),
    ("Adam", {}),
    ("Adam", {"amsgrad": True, "betas": (0.8, 0.9)}),
    ("AdamW", {}),
    ("Adamax", {}),
    ("NAdam", {}),
    ("RAdam", {}),
    ("RMSprop", {}),
    ("RMSprop", {"momentum": 0.5, "centered": True}),
    ("Rprop", {}),
    ("SGD", {}),
    ("SGD", {"momentum": 0.9, "dampening": 0.3}),
]
START = np.linspace(0.3, 2, 4, dtype=np.float32), np.linspace(-1, 1, 6, dtype=np.float32).reshape(2, 3)


class Model(eqx.Module):
    """The parameters stand in another order than the optimizers get them."""

    b: jax.Array
    a: jax.Array

    def loss(self):
        return (jnp.sin(self.a) * 2).sum() * (self.b * self.b).sum() + (self.b**3).sum()


class NnxModel(nnx.Module):
    def __init__(self, a, b):
        self.b, self.a = nnx.Param(b), nnx.Param(a)

    def loss(self):
        return Model(self.b[...], self.a[...]).loss()


def groups(a, b):
    return [{"params": [a], "lr": 0.002}, {"params": [b]}]


def torch_steps(parameters, optimizer, count):
    for _ in range(count):
        a, b = parameters
        optimizer.zero_grad()
        loss = (a.sin() * 2).sum() * (b * b).sum() + (b**3).sum()
        loss.backward()
        optimizer.step()
    return loss.item()


def as_parameters(values):
    return [torch.nn.Parameter(torch.tensor(np.asarray(value))) for value in values]


def steps(model, optimizer, state, count):
    for _ in range(count):
        loss, grads = eqx.filter_value_and_grad(Model.loss)(model)
        updates, state = optimizer.update(grads, state, model)
        model = eqx.apply_updates(model, updates)
    return loss.item(), model, state


def check_same(ours, theirs):
    assert ours["param_groups"] == theirs["param_groups"]
    assert ours["state"].keys() == theirs["state"].keys()
    for number, entry in theirs["state"].items():
        assert entry.keys() == ours["state"][number].keys()
        for name, value in entry.items():
            torch.testing.assert_close(ours["state"][number][name], value, rtol=1e-3, atol=1e-6)


@pytest.mark.parametrize(("name", "options"), CASES)
def test_files_go_both_ways(tmp_path, name, options):
    options = {"lr": 0.003, **options}
    make = getattr(optimizer_options, f"torch_{name.lower()}")
    parameters = as_parameters(START)
    optimizer = getattr(torch.optim, name)(groups(*parameters), **options)
    torch_steps(parameters, optimizer, 4)
    torch.save(optimizer.state_dict(), tmp_path / "theirs.pt")
    a, b = (jnp.asarray(p.detach().numpy()) for p in parameters)
    expected = torch_steps(parameters, optimizer, 3)

    model = Model(b, a)
    ours = as_torch_optimizer(make, model, groups(a, b), **{**options, "lr": 0.7})
    state = load_optimizer_state(ours.init(model), checkpoints.load(tmp_path / "theirs.pt"))
    loss, model, state = steps(model, ours, state, 3)
    assert loss == pytest.approx(expected, rel=2e-5)

    checkpoints.save(optimizer_state_dict(state), tmp_path / "ours.pt")
    saved = torch.load(tmp_path / "ours.pt")
    check_same(saved, optimizer.state_dict())
    again = as_parameters((model.a, model.b))
    optimizer_again = getattr(torch.optim, name)(groups(*again), lr=1.0)
    optimizer_again.load_state_dict(saved)
    assert torch_steps(again, optimizer_again, 3) == pytest.approx(torch_steps(parameters, optimizer, 3), rel=1e-4)

    other = NnxModel(a, b)
    made = nnx_groups.as_torch_optimizer(make, other, groups(other.a[...], other.b[...]), **options)
    held = nnx.Optimizer(other, made, wrt=nnx.Param)
    restore_optimizer(held, checkpoints.load(tmp_path / "theirs.pt"))
    for _ in range(3):
        nnx_loss, grads = nnx.value_and_grad(NnxModel.loss)(other)
        held.update(other, grads)
    assert nnx_loss == pytest.approx(expected, rel=2e-5)
    checkpoints.save(optimizer_state_dict(nnx.as_pure(held.opt_state)), tmp_path / "nnx.pt")
    check_same(torch.load(tmp_path / "nnx.pt"), torch.load(tmp_path / "ours.pt"))


@pytest.fixture
def adam():
    model = Model(*map(jnp.asarray, reversed(START)))
    optimizer = as_torch_optimizer(optimizer_options.torch_adam, model, [model.a, model.b], lr=0.1)
    return steps(model, optimizer, optimizer.init(model), 2)[2]


def test_nothing_is_kept_before_the_first_step():
    model = Model(*map(jnp.asarray, reversed(START)))
    optimizer = as_torch_optimizer(optimizer_options.torch_adam, model, [model.a, model.b], lr=0.1)
    saved = optimizer_state_dict(optimizer.init(model))
    assert saved["state"] == {}
    assert saved["param_groups"][0]["params"] == [0, 1]
    assert saved["param_groups"][0]["lr"] == 0.1


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda saved: {"['.a']": 1}, "not the state of an optimizer"),
        (lambda saved: {**saved, "param_groups": saved["param_groups"] * 2}, "different number of parameter groups"),
        (lambda saved: {**saved, "param_groups": [{"params": [0]}]}, "doesn't match the size"),
        (lambda saved: {**saved, "state": {key: {"momentum_buffer": 1} for key in (0, 1)}}, "has no exp_avg"),
        (
            lambda saved: {**saved, "state": {key: {**saved["state"][0], "sum": 1} for key in (0, 1)}},
            "does not keep sum",
        ),
    ],
)
def test_other_states_are_refused(adam, change, message):
    with pytest.raises(ValueError, match=message):
        load_optimizer_state(adam, change(optimizer_state_dict(adam)))


@pytest.mark.parametrize(
    "name", ["torch_sgd", "torch_adam", "torch_nadam", "torch_radam", "torch_rmsprop", "torch_adadelta"]
)
def test_what_was_saved_before_the_first_step_starts_anew(name):
    model = Model(*map(jnp.asarray, reversed(START)))
    options = {"momentum": 0.9} if name == "torch_sgd" else {}
    optimizer = as_torch_optimizer(getattr(optimizer_options, name), model, [model.a, model.b], lr=0.1, **options)
    first = optimizer.init(model)
    state = steps(model, optimizer, first, 2)[2]
    loaded = load_optimizer_state(state, optimizer_state_dict(first))
    assert jax.tree.all(jax.tree.map(lambda a, b: bool(jnp.array_equal(a, b)), loaded, first))


@pytest.mark.parametrize("name", ["torch_rprop", "torch_asgd"])
def test_first_values_that_follow_the_rate_are_not_known(name):
    model = Model(*map(jnp.asarray, reversed(START)))
    optimizer = as_torch_optimizer(getattr(optimizer_options, name), model, [model.a, model.b], lr=0.1)
    first = optimizer.init(model)
    with pytest.raises(ValueError, match="nothing was saved"):
        load_optimizer_state(steps(model, optimizer, first, 2)[2], optimizer_state_dict(first))
