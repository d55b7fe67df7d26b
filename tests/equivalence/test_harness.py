"""The harness accepts hand-written translations and catches broken ones."""

from pathlib import Path

import numpy as np
import pytest

from tests.equivalence.harness import (
    Pair,
    assert_close,
    build_pair,
    compare_initial_weights,
    compare_printed,
    compare_training,
    load_module,
)

PROGRAMS = Path(__file__).parent / "programs"


def read(name: str) -> str:
    return (PROGRAMS / f"{name}.py").read_text(encoding="utf-8")


def make_classifier_pair(jax_text: str) -> Pair:
    torch_module = load_module(read("classifier"), "classifier_torch")
    return build_pair(torch_module.MLP, load_module(jax_text, "classifier_jax"), args=(20,), kwargs={"num_classes": 3})


def make_gpt_pair(jax_text: str) -> Pair:
    torch_module = load_module(read("gpt"), "gpt_torch")
    return build_pair(torch_module.GPT, load_module(jax_text, "gpt_jax"), args=(torch_module.GPTConfig(),))


def broken(name: str, old: str, new: str) -> str:
    """A translation with one mistake."""
    text = read(name)
    assert text.count(old) >= 1, old
    return text.replace(old, new)


X = np.random.default_rng(0).standard_normal((7, 20)).astype(np.float32)
TOKENS = np.random.default_rng(1).integers(0, 64, (2, 16), dtype=np.int32)


@pytest.mark.parametrize("train", [False, True])
def test_forward_and_gradients_of_right_translations_agree(train: bool) -> None:
    pair = make_classifier_pair(read("classifier_equinox"))
    pair.forward(X, train=train)
    pair.gradients(X, train=train)
    pair = make_gpt_pair(read("gpt_equinox"))
    pair.forward(TOKENS, TOKENS, train=train)
    pair.gradients(TOKENS, TOKENS, train=train)


def test_training_of_right_translations_agrees() -> None:
    runs = compare_training(read("classifier"), read("classifier_equinox"))
    assert runs.compared_models == ("MLP",)
    assert len(runs.tape.passes) == 10
    runs = compare_training(read("gpt"), read("gpt_equinox"))
    assert runs.compared_models == ("GPT",)
    assert [draw.kind for draw in runs.tape.draws] == ["integers"] + 4 * ["categories"]


def test_wrong_activation_is_caught() -> None:
    pair = make_gpt_pair(broken("gpt_equinox", "approximate=False", "approximate=True"))
    with pytest.raises(AssertionError, match=r"output\[0\]: \d+ of 2048 values differ"):
        pair.forward(TOKENS, TOKENS)


def test_wrong_gradient_is_caught() -> None:
    pair = make_gpt_pair(broken("gpt_equinox", "y = att @ v ", "y = jax.lax.stop_gradient(att) @ v "))
    pair.forward(TOKENS, TOKENS)
    with pytest.raises(AssertionError, match=r"gradient of \w"):
        pair.gradients(TOKENS, TOKENS)


def test_lost_weight_tying_is_caught() -> None:
    line = (
        "        self.lm_head = eqx.tree_at(lambda m: m.weight, self.lm_head, None)  # weight tying: see `__call__`\n"
    )
    use = "lm_head = eqx.tree_at(lambda m: m.weight, self.lm_head, self.wte.weight, is_leaf=lambda x: x is None)"
    text = broken("gpt_equinox", line, "").replace(use, "lm_head = self.lm_head")
    pair = make_gpt_pair(text)
    with pytest.raises(AssertionError, match=r"gradient of wte\.weight"):
        pair.gradients(TOKENS, TOKENS)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("optax.adamw(1e-2, weight_decay=1e-2)", "optax.adam(1e-2)", "printed line 5"),
        ("optax.adamw(1e-2,", "optax.adamw(9e-3,", "printed line 1"),
        ("range(5)", "range(4)", "passes over data loaders: the original has 10, the translation 8"),
        ("batch_size=64)", "batch_size=32)", "batch"),
        ("(x[:, :10].sum(axis=1) > 0)", "(x[:, :10].sum(axis=1) < 0)", "data loader that does not shuffle"),
    ],
    ids=["no-weight-decay", "learning-rate", "epochs", "batch-size", "labels"],
)
def test_wrong_training_is_caught(old: str, new: str, message: str) -> None:
    with pytest.raises(AssertionError, match=message):
        compare_training(read("classifier"), broken("classifier_equinox", old, new))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("weight = 0.02", "weight = 0.025", r"initial wte\.weight: mean .* instead of mean"),
        ("0.02 * jax.random.normal(key, m", "0.03464 * jax.random.uniform(key, m", r"initial wte\.weight"),
        (
            "jnp.zeros_like(module.bias)",
            "0.001 + module.bias",
            r"initial .*bias \(where it is constant\): 96 of 96 values",
        ),
    ],
    ids=["deviation", "distribution", "constant"],
)
def test_wrong_initial_weights_are_caught(old: str, new: str, message: str) -> None:
    torch_module = load_module(read("gpt"), "gpt_torch")
    config = (torch_module.GPTConfig(n_layer=1),)
    compare_initial_weights(torch_module.GPT, load_module(read("gpt_equinox"), "gpt_jax"), config)
    jax_module = load_module(broken("gpt_equinox", old, new), "gpt_jax")
    with pytest.raises(AssertionError, match=message):
        compare_initial_weights(torch_module.GPT, jax_module, config)


def test_additional_draw_is_caught() -> None:
    text = broken("gpt_equinox", "probs = jax", "noise = jax.random.normal(sample_key, ())\n            probs = jax")
    with pytest.raises(
        AssertionError, match=r"draw 2 of the translation \(normal, shape \(\)\): the original drew categ"
    ):
        compare_training(read("gpt"), text)


def test_draws_in_compiled_code_follow_the_original() -> None:
    source = """
import torch
def noisy(x):
    return x + torch.randn_like(x) * 0.5
def main():
    torch.manual_seed(0)
    x = torch.normal(3.0, 2.0, (4,))
    out = []
    for _ in range(3):
        x = noisy(x) * torch.empty(4).uniform_(1.0, 3.0)
        out.append(x.sum().item())
    return out
"""
    text = """
import jax
import jax.numpy as jnp
@jax.jit
def noisy(x, *, key):
    return x + jax.random.normal(key, x.shape) * 0.5
def main():
    key = jax.random.key(0)
    x = 3.0 + 2.0 * jax.random.normal(key, (4,))
    out = []
    for key in jax.random.split(key, 3):
        x = noisy(x, key=key) * jax.random.uniform(key, (4,), minval=1.0, maxval=3.0)
        out.append(x.sum().item())
    return out
"""
    runs = compare_training(source, text)
    assert len(runs.losses) == 3
    with pytest.raises(AssertionError, match=r"returned\[0\]"):
        compare_training(source, text.replace("* 0.5", "* 0.6"))
    with pytest.raises(AssertionError, match="draws: the original has 7, the translation 1"):
        compare_training(source, text.replace("split(key, 3)", "split(key, 0)"))


def test_assert_close_names_the_first_difference() -> None:
    good = {"a": np.ones(3), "b": [np.zeros((2, 2)), None]}
    assert_close("x", good, good)
    bad = {"a": np.ones(3), "b": [np.eye(2), None]}
    with pytest.raises(AssertionError, match=r"x\['b'\]\[0\]: 2 of 4 values differ .* at \(0, 0\): .*1.0.* instead of"):
        assert_close("x", bad, good)
    with pytest.raises(AssertionError, match=r"shape \(2,\) instead of \(3,\)"):
        assert_close("x", np.ones(2), np.ones(3))
    with pytest.raises(AssertionError, match="int64 instead of float64"):
        assert_close("x", np.ones(2, int), np.ones(2))
    with pytest.raises(AssertionError, match="1 of 2 values differ"):
        assert_close("x", np.array([np.nan, 1.0]), np.array([0.0, 1.0]))


def test_printed_numbers_may_differ_by_rounding_only() -> None:
    compare_printed("shape (2, 3), loss 0.1235", "shape torch.Size([2, 3]), loss 0.1234", rtol=0)
    for text in ("shape (2, 3), loss 0.1237", "shape (2, 4), loss 0.1234", "shape (2, 3)"):
        with pytest.raises(AssertionError, match="printed line 1"):
            compare_printed(text, "shape torch.Size([2, 3]), loss 0.1234", rtol=0)


STATEFUL_TORCH = """
import torch
import torch.nn as nn
import torch.nn.functional as F
class Net(nn.Module):
    def __init__(self, width=4):
        super().__init__()
        self.norm = nn.BatchNorm1d(3)
        self.fc = nn.Linear(3, width)
        self.drop = nn.Dropout(0.5)
    def forward(self, x):
        return self.drop(self.fc(self.norm(x)))
class Trainer:
    def __init__(self, model):
        self.model = model
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    def step(self, x):
        loss = (self.model(x) ** 2).mean()
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return loss.item()
def main():
    trainer = Trainer(Net())
    losses = [trainer.step(torch.randn(8, 3) * 2 + 1) for _ in range(5)]
    trainer.model.eval()
    with torch.no_grad():
        print(trainer.model(torch.ones(1, 3)).sum().item())
    return losses
"""

STATEFUL_JAX = """
import equinox as eqx
import jax
import jax.numpy as jnp
import optax
from torch2jax.runtime.normalization import BatchNorm
class Net(eqx.Module):
    norm: BatchNorm
    fc: eqx.nn.Linear
    drop: eqx.nn.Dropout
    def __init__(self, width=4, *, key):
        self.norm = BatchNorm(3)
        self.fc = eqx.nn.Linear(3, width, key=key)
        self.drop = eqx.nn.Dropout(0.5)
    def __call__(self, x, state, *, key=None):
        x, state = self.norm(x, state)
        return self.drop(jax.vmap(self.fc)(x), key=key), state
@eqx.filter_jit
def train_step(optimizer, model, opt_state, state, x, *, key):
    def loss_fn(model):
        out, new_state = model(x, state, key=key)
        return (out ** 2).mean(), new_state
    (loss, state), grads = eqx.filter_value_and_grad(loss_fn, has_aux=True)(model)
    updates, opt_state = optimizer.update(grads, opt_state)
    return eqx.apply_updates(model, updates), opt_state, state, loss
class Trainer:
    def __init__(self, model, state):
        self.model, self.state = model, state
        self.optimizer = optax.sgd(0.1)
        self.opt_state = self.optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    def step(self, x, *, key):
        self.model, self.opt_state, self.state, loss = train_step(
            self.optimizer, self.model, self.opt_state, self.state, x, key=key
        )
        return loss.item()
def main():
    key = jax.random.key(0)
    trainer = Trainer(*eqx.nn.make_with_state(Net)(key=key))
    losses = [trainer.step(jax.random.normal(key, (8, 3)) * 2 + 1, key=key) for _ in range(5)]
    trainer.model = eqx.nn.inference_mode(trainer.model)
    print(trainer.model(jnp.ones((1, 3)), trainer.state)[0].sum().item())
    return losses
"""


def make_stateful_pair() -> Pair:
    return build_pair(load_module(STATEFUL_TORCH, "net_torch").Net, load_module(STATEFUL_JAX, "net_jax"))


def test_running_statistics_are_carried_and_compared() -> None:
    pair = make_stateful_pair()
    for _ in range(2):
        pair.forward(X[:, :3], train=True)
        pair.gradients(X[:, :3], train=True)
    pair.forward(X[:, :3])
    pair.gradients(X[:, :3])
    pair.torch_model.norm.momentum = 0.2
    with pytest.raises(AssertionError, match=r"norm\.running_mean"):
        pair.forward(X[:, :3], train=True)


def test_training_with_running_statistics_agrees() -> None:
    runs = compare_training(STATEFUL_TORCH, STATEFUL_JAX)
    assert len(runs.losses) == 5
    assert runs.compared_models == ("Net",)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("BatchNorm(3)", "BatchNorm(3, momentum=0.05)", "printed line 1"),
        ("(out ** 2).mean()", "(out ** 2).sum() / 30", r"returned\[0\]"),
        ("inference_mode(trainer.model)", "inference_mode(trainer.model, value=False)", "."),
    ],
    ids=["momentum", "loss", "mode"],
)
def test_wrong_training_with_running_statistics_is_caught(old: str, new: str, message: str) -> None:
    assert old in STATEFUL_JAX
    with pytest.raises((AssertionError, ValueError, RuntimeError), match=message):
        compare_training(STATEFUL_TORCH, STATEFUL_JAX.replace(old, new))


def test_trained_weights_are_compared() -> None:
    text = STATEFUL_JAX.replace(
        "    return losses",
        "    trainer.model = eqx.tree_at(lambda m: m.fc.bias, trainer.model, jnp.ones(4))\n    return losses",
    )
    with pytest.raises(AssertionError, match=r"^fc\.bias: 4 of 4 values differ"):
        compare_training(STATEFUL_TORCH, text)
