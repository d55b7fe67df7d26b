"""Translations for Flax NNX: the classifier computes and trains as the original does; what cannot be written is refused.

`UPDATE_SNAPSHOTS=1` rewrites the translation beside the program; review it like code.
"""

from __future__ import annotations

import os
import textwrap
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import torch
from flax import nnx

from tests.equivalence.harness import assert_close, convert_text, load_module, run_main
from torch2jax.runtime.nnx_checkpoints import load_state_dict, state_dict

PROGRAMS = Path(__file__).parent / "programs"
PREAMBLE = "import torch\nimport torch.nn as nn\nimport torch.nn.functional as F\n\n"
STEPS = 6


@cache
def conversion(name: str) -> Any:
    return convert_text(PROGRAMS / f"{name}.py", target="nnx")


def convert(body: str) -> Any:
    return convert_text(PREAMBLE + textwrap.dedent(body), target="nnx")


def errors(result: Any) -> list[str]:
    return [d.code for d in result.diagnostics if str(getattr(d.severity, "value", d.severity)) == "error"]


@cache
def modules() -> tuple[ModuleType, ModuleType]:
    original = load_module((PROGRAMS / "classifier.py").read_text(encoding="utf-8"), "classifier_torch")
    return original, load_module(conversion("classifier").text, "classifier_nnx")


def linear_layers(model: torch.nn.Module) -> Iterator[tuple[str, torch.nn.Linear]]:
    return ((name, part) for name, part in model.named_modules() if isinstance(part, torch.nn.Linear))


def arrays(module: torch.nn.Module) -> dict[str, np.ndarray]:
    return {name: value.detach().numpy().copy() for name, value in module.state_dict().items()}


def make_pair(p: float = 0.0, **options: Any) -> tuple[torch.nn.Module, Any]:
    original, translated = modules()
    torch.manual_seed(3)
    source = original.MLP(20, p=p, **options)
    model = translated.MLP(20, p=p, rngs=nnx.Rngs(0), **options)
    load_state_dict(model, arrays(source))
    return source, model


def batches(count: int, size: int = 16) -> list[tuple[np.ndarray, np.ndarray]]:
    rng = np.random.default_rng(0)
    x = rng.standard_normal((count, size, 20)).astype(np.float32)
    return [(batch, (batch[:, :10].sum(axis=1) > 0).astype(np.int32)) for batch in x]


def as_torch(batch: tuple[np.ndarray, np.ndarray]) -> tuple[torch.Tensor, torch.Tensor]:
    return torch.tensor(batch[0]), torch.tensor(batch[1]).long()


# the classifier


def test_nothing_is_left_to_do() -> None:
    assert conversion("classifier").ok
    assert not errors(conversion("classifier"))


def test_committed_translation_is_current() -> None:
    committed = PROGRAMS / "classifier_nnx.py"
    if os.environ.get("UPDATE_SNAPSHOTS") == "1":
        committed.write_text(conversion("classifier").text, encoding="utf-8")
    assert conversion("classifier").text == committed.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "line",
    [
        "class MLP(nnx.Module):",
        "num_classes=10, p=0.1, *, rngs):",
        "layers.append(Linear(prev_dim, h, rngs=rngs))",
        "layers.append(nnx.relu)",
        "layers.append(Dropout(p, rngs=rngs))",
        "self.net = Sequential(*layers)",
        "@cached_jit\ndef train_step(model, optimizer, x, y):",
        "loss, grads = nnx.value_and_grad(loss_fn)(model)",
        "optimizer.update(model, grads)",
        "def train(model, loader, optimizer, device):",
        "loss = train_step(model, optimizer, x, y)",
        "    model.train()\n",
        "    model.eval()\n",
        "rngs = nnx.Rngs(0)",
        "x = rngs.normal((512, 20))",
        "model = MLP(20, num_classes=2, rngs=rngs)",
        "optimizer = nnx.Optimizer(model, optax.adamw(1e-2, weight_decay=0.01), wrt=nnx.Param)",
        "loss = train(model, train_loader, optimizer, device)",
    ],
)
def test_text_is_that_of_a_person(line: str) -> None:
    assert line in conversion("classifier").text


def test_nothing_is_threaded() -> None:
    main_part = conversion("classifier").text.split("# --- torch2jax support")[0]
    assert not any(word in main_part for word in ("opt_state", "split(", "key", "state,", "eqx"))


@pytest.mark.parametrize("options", [{}, {"hidden_sizes": ()}, {"hidden_sizes": (8,), "num_classes": 3}])
def test_outputs_and_gradients_agree(options: dict[str, Any]) -> None:
    source, model = make_pair(**options)
    x = batches(1)[0][0]
    expected = source(torch.tensor(x))
    assert_close("output", model(jnp.asarray(x)), expected)

    factors = np.random.default_rng(1).standard_normal(expected.shape).astype(np.float32)
    (expected * torch.tensor(factors)).sum().backward()
    grads = nnx.grad(lambda model: (model(jnp.asarray(x)) * factors).sum())(model)
    found = jax.tree.leaves(grads)
    assert len(found) == len(list(source.parameters()))
    merged = nnx.clone(model)
    nnx.update(merged, grads)
    for name, parameter in source.named_parameters():
        assert parameter.grad is not None
        assert_close(name, state_dict(merged)[name], parameter.grad, rtol=1e-4)


def test_losses_and_weights_agree_over_several_steps() -> None:
    original, translated = modules()
    source, model = make_pair()
    torch_optimizer = torch.optim.AdamW(source.parameters(), lr=1e-2)
    optimizer = nnx.Optimizer(model, translated.optax.adamw(1e-2, weight_decay=0.01), wrt=nnx.Param)
    expected, actual = [], []
    for batch in batches(STEPS):
        expected.append(original.train(source, [as_torch(batch)], torch_optimizer, torch.device("cpu")))
        actual.append(translated.train(model, [batch], optimizer, jax.devices("cpu")[0]))
    assert_close("losses", np.asarray(actual), np.asarray(expected), rtol=1e-3)
    assert expected[-1] < expected[0]
    for name, value in arrays(source).items():
        assert_close(name, state_dict(model)[name], value, rtol=1e-3, atol=1e-4)


def test_accuracy_agrees_and_is_taken_in_evaluation_mode() -> None:
    original, translated = modules()
    source, model = make_pair(p=0.5)

    class Loader(list[Any]):
        dataset = range(32)

    expected = original.evaluate(source, Loader(map(as_torch, batches(2))), torch.device("cpu"))
    assert translated.evaluate(model, Loader(batches(2)), jax.devices("cpu")[0]) == pytest.approx(expected)


def test_dropout_draws_anew_in_training_and_rests_in_evaluation() -> None:
    _, model = make_pair(p=0.5)
    x = jnp.asarray(batches(1)[0][0])
    model.train()
    assert not np.allclose(model(x), model(x))
    model.eval()
    np.testing.assert_array_equal(model(x), model(x))


def test_steps_draw_anew() -> None:
    """The streams of dropout go on inside compiled steps: a step without an update has another loss each time."""
    _, translated = modules()
    _, model = make_pair(p=0.5)
    optimizer = nnx.Optimizer(model, translated.optax.sgd(0.0), wrt=nnx.Param)
    (x, y) = batches(1)[0]
    losses = {float(translated.train_step(model, optimizer, x, y)) for _ in range(3)}
    assert len(losses) == 3


def test_weights_start_as_those_of_torch() -> None:
    original, translated = modules()
    source, model = original.MLP(20), translated.MLP(20, rngs=nnx.Rngs(1))
    for name, layer in linear_layers(source):
        found, bound = state_dict(model), layer.in_features**-0.5
        assert np.abs(found[f"{name}.weight"]).max() <= bound
        assert np.std(found[f"{name}.weight"]) == pytest.approx(bound / 3**0.5, rel=0.15)
        assert np.abs(found[f"{name}.bias"]).max() <= bound


def test_translation_trains_by_itself() -> None:
    printed = run_main(modules()[1]).printed.splitlines()
    losses = [float(line.split("loss ")[1].split(",")[0]) for line in printed]
    assert len(losses) == 5
    assert losses[-1] < 0.5 * losses[0]


# modules that draw, keep parameters and ask for their mode

DRAWING = """
class Noise(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(3))
        self.register_buffer("shift", torch.zeros(3))
        nn.init.constant_(self.scale, 0.5)

    def forward(self, x):
        if self.training:
            x = x + self.scale * torch.randn_like(x)
        return x + self.shift


class Net(nn.Module):
    def __init__(self, hidden=8):
        super().__init__()
        self.noise = Noise()
        self.body = nn.Sequential(nn.Linear(3, hidden), nn.Tanh(), nn.Linear(hidden, 3))

    def forward(self, x):
        return F.dropout(self.body(self.noise(x)), 0.5, self.training)

    def sample(self, n):
        return self.body[0](torch.randn(n, 3))


def fit(steps):
    torch.manual_seed(0)
    x = torch.rand(16, 3)
    model = Net().train()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    losses = []
    for _ in range(steps):
        target = x + 0.01 * torch.randn_like(x)
        loss = F.mse_loss(model(x), target)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        losses.append(loss.item())
    model.train(False)
    return model, losses
"""


@cache
def drawing() -> tuple[str, ModuleType]:
    result = convert(DRAWING)
    assert not errors(result)
    return result.text, load_module(result.text, "drawing_nnx")


@pytest.mark.parametrize(
    "line",
    [
        "self.rngs = rngs.fork()",
        "self.scale = nnx.Param(jnp.ones(3))",
        "self.shift = nnx.Variable(jnp.zeros(3))",
        "self.scale[...] = jnp.full_like(self.scale, 0.5)",
        "if not self.deterministic:",
        "self.rngs.normal(x.shape)",
        "self.body[0](self.rngs.normal((n, 3)))",
        "    model = Net(rngs=rngs)\n    model.train()\n",
        "    model.eval()\n",
    ],
)
def test_modules_keep_what_they_draw_from(line: str) -> None:
    assert line in drawing()[0]


def test_modules_that_draw_train() -> None:
    model, losses = drawing()[1].fit(40)
    assert np.mean(losses[-10:]) < np.mean(losses[:10])
    assert np.abs(model.noise.scale[...] - 0.5).max() > 0, "parameters are trained"
    assert np.abs(model.noise.shift[...]).max() == 0, "buffers are not"
    x = jnp.ones((2, 3))
    np.testing.assert_array_equal(model(x), model(x))
    assert not np.allclose(model.sample(2), model.sample(2))


# containers, inheritance, a class that trains

TRAINER = """
class Base(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.first = nn.Linear(dim, dim)

    def noisy(self, x):
        return x + 0.01 * torch.randn_like(x)


class Net(Base):
    def __init__(self, dim):
        super().__init__(dim)
        self.named = nn.ModuleDict({"a": nn.Linear(dim, dim), "b": nn.Linear(dim, dim)})
        self.more = nn.ModuleList()
        for _ in range(2):
            self.more.append(nn.Linear(dim, dim))
        self.tail = nn.Sequential(*[nn.Linear(dim, dim) for _ in range(2)])

    def forward(self, x):
        x = self.noisy(self.first(x))
        x = torch.tanh(self.named["a"](x) + self.named["b"](x))
        for layer in self.more:
            x = layer(x)
        for layer in self.tail:
            x = layer(x)
        return x / len(self.tail)


class Trainer:
    def __init__(self, model, teacher):
        self.model = model
        self.teacher = teacher
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=1e-2)

    def step(self, x):
        loss = F.mse_loss(self.model(x), self.teacher(x).detach())
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return loss.item()


def main():
    torch.manual_seed(0)
    x = torch.randn(16, 4)
    trainer = Trainer(Net(4), Net(4))
    return [trainer.step(x) for _ in range(30)], trainer
"""


def test_a_trainer_changes_its_model_and_leaves_the_teacher() -> None:
    result = convert(TRAINER)
    assert not errors(result)
    module = load_module(result.text, "trainer_nnx")
    losses, trainer = module.main()
    assert losses[-1] < 0.5 * losses[0]
    assert len(jax.tree.leaves(nnx.state(trainer.model, nnx.Param))) == 14
    before = nnx.clone(trainer.teacher)
    trainer.step(jnp.ones((16, 4)))
    weights = (part.first.weight[...] for part in (before, trainer.teacher))
    np.testing.assert_array_equal(*weights)


# refused

LINEAR = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)
        {init}

    def forward(self, x):
        {forward}
        return self.fc(x)


def use(x):
    model = Net()
    {use}
    return model(x)
"""


@pytest.mark.parametrize(
    ("place", "statement", "code"),
    [
        ("init", "self.layers = [nn.Linear(3, 3)]", "T2J601"),
    ],
)
def test_what_has_no_spelling_is_refused(place: str, statement: str, code: str) -> None:
    parts = {"init": "pass", "forward": "pass", "use": "pass"} | {place: statement}
    assert code in errors(convert(LINEAR.format(**parts)))


def test_mode_inside_an_expression_stays_with_the_module() -> None:
    body = """
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.drop = nn.Dropout(0.5)

        def forward(self, x):
            return self.drop(x)

    def use(model: Net, x):
        return model.eval()(x)

    print(use(Net(), torch.ones(3)))
    """
    result = convert(body)
    assert not errors(result)
    assert "    model.eval()\n    return model(x)\n" in result.text


# steps that are given more than arrays and modules, and weights in two places

GIVEN = """
class Tied(nn.Module):
    def __init__(self):
        super().__init__()
        self.wte = nn.Embedding(5, 4)
        self.bias = nn.Parameter(torch.zeros(5))
        self.mid = nn.Linear(4, 4)
        self.head = nn.Linear(4, 5, bias=False)
        self.head.weight = self.wte.weight
        with torch.no_grad():
            self.wte.weight.copy_(torch.arange(20.0).reshape(5, 4) / 20)

    def forward(self, x):
        return self.head(self.mid(self.wte(x))) + self.bias


def train(criterion, mode="double"):
    model = Tied()
    with torch.no_grad():
        for number, p in enumerate(model.parameters()):
            p.copy_(torch.sin(torch.arange(p.numel()).float() * (number + 1)).reshape(p.shape))
    optimizer = torch.optim.Adam(model.parameters(), lr=0.1)
    x, y = torch.tensor([0, 1, 2, 3]), torch.tensor([1, 2, 3, 4])
    losses = []
    for _ in range(4):
        optimizer.zero_grad()
        out = model(x)
        if mode == "double":
            out = out * 2
        loss = criterion(out, y)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses, len(list(model.parameters())), list(model.state_dict())


def main():
    return train(nn.CrossEntropyLoss())
"""


def test_steps_take_functions_and_text_and_train_tied_weights_once() -> None:
    result = convert(GIVEN)
    assert not errors(result)
    assert "@filter_jit\ndef train_step(model, optimizer, x, mode, criterion, y):" in result.text
    losses, count, names = load_module(result.text, "given_nnx").main(rngs=nnx.Rngs(0))
    expected = load_module(PREAMBLE + GIVEN, "given_torch").main()
    np.testing.assert_allclose(losses, expected[0], rtol=1e-4)
    assert (count, sorted(names)) == (expected[1], sorted(expected[2]))


def test_arrays_taken_out_of_a_model_that_trains_are_reported() -> None:
    body = """
    def use(x):
        model = nn.Linear(3, 3)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        best = model.state_dict()
        for _ in range(2):
            optimizer.zero_grad()
            model(x).sum().backward()
            optimizer.step()
        model.load_state_dict(best)
        return model(x)

    print(use(torch.ones(2, 3)))
    """
    assert "T2J303" in errors(convert(body))
