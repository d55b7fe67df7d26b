"""A program in several files is translated as a whole: what one file defines or passes is known in the others."""

import importlib.util
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import equinox as eqx
import jax
import numpy as np
import optax
import pytest
import torch

import torch2jax
from tests.isolation import modules_forgotten
from torch2jax.runtime.checkpoints import load_state_dict

PROGRAM = Path(__file__).parent / "programs" / "several_files"


@pytest.fixture(scope="module")
def translated(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    out = tmp_path_factory.mktemp("several_files")
    conversions = torch2jax.convert_tree(PROGRAM, out, force=True)
    assert {path.name for path in conversions} == {"model.py", "engine.py", "train.py"}
    assert all(conversion.ok for conversion in conversions.values())
    yield out


def load(path: Path, name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_functions_take_what_the_model_of_another_file_needs(translated: Path) -> None:
    engine = (translated / "engine.py").read_text()
    assert "def train_one_epoch(model, state, loader, optimizer, opt_state, *, key):" in engine
    assert "def evaluate(model, state, loader):" in engine


def test_translation_of_the_whole_program_runs(translated: Path) -> None:
    run = subprocess.run([sys.executable, "train.py"], cwd=translated, capture_output=True, text=True, timeout=300)
    assert run.returncode == 0, run.stderr
    assert len(run.stdout.splitlines()) == 3


def test_training_in_another_file_gives_the_same_losses(translated: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(translated))  # the support module lies there
    rng = np.random.default_rng(0)
    batches = [(rng.standard_normal((16, 8), np.float32), rng.integers(0, 3, 16)) for _ in range(6)]
    source_model, source_engine = (
        load(PROGRAM / "model.py", "source_model"),
        load(PROGRAM / "engine.py", "source_engine"),
    )
    net = source_model.Net(p=0.0)
    weights = {name: value.numpy().copy() for name, value in net.state_dict().items()}
    adam = torch.optim.Adam(net.parameters(), lr=1e-2)
    expected = source_engine.train_one_epoch(net, [(torch.tensor(x), torch.tensor(y)) for x, y in batches], adam)

    with modules_forgotten(translated):
        target_model, target_engine = (
            load(translated / "model.py", "target_model"),
            load(translated / "engine.py", "target_engine"),
        )
    model, state = eqx.nn.make_with_state(target_model.Net)(p=0.0, key=jax.random.key(0))
    model, state = load_state_dict(model, weights, state=state)
    optimizer = optax.adam(1e-2)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    *_, losses = target_engine.train_one_epoch(model, state, batches, optimizer, opt_state, key=jax.random.key(1))
    np.testing.assert_allclose(losses, expected, rtol=1e-3)


def test_a_file_alone_says_which_imports_need_translation() -> None:
    conversion = torch2jax.convert_file(PROGRAM / "train.py")
    lines = [(remark.code, remark.line) for remark in conversion.diagnostics if remark.severity == "error"]
    assert lines == [("T2J006", 4), ("T2J006", 5)]


def test_a_file_alone_does_not_guess_the_class_of_its_model() -> None:
    conversion = torch2jax.convert((PROGRAM / "engine.py").read_text(), path="engine.py")
    assert {remark.code for remark in conversion.diagnostics if remark.severity != "info"} == {"T2J607"}
    assert "call(model, " in conversion.text


def test_methods_of_a_model_of_any_class_are_given_a_key() -> None:
    body = "    codes = model.embed_tokens(x)\n    model.remember(codes)\n    return codes\n"
    conversion = torch2jax.convert(f"from torch import nn\n\n\ndef use(model: nn.Module, x):\n{body}")
    remarks = [(remark.code, remark.line) for remark in conversion.diagnostics if remark.severity != "info"]
    assert remarks == [("T2J607", 5), ("T2J603", 6)]
    assert "call(model.embed_tokens, x, key=" in conversion.text


def test_a_model_of_any_class_may_keep_state_where_the_program_has_some() -> None:
    text = (PROGRAM / "engine.py").read_text() + "\n\nnorm = torch.nn.BatchNorm1d(2)\n"
    conversion = torch2jax.convert(text, path="engine.py")
    assert not [remark for remark in conversion.diagnostics if remark.severity == "error"]
    assert "call_with_state(model, " in conversion.text


def test_a_model_of_any_class_that_is_no_parameter_may_have_state_elsewhere() -> None:
    body = "    net: torch.nn.Module = create()\n    return net(x)\n"
    text = f"import torch\nfrom zoo import create\n\nnorm = torch.nn.BatchNorm1d(2)\n\n\ndef use(x):\n{body}"
    conversion = torch2jax.convert(text, path="use.py")
    assert {remark.code for remark in conversion.diagnostics if remark.severity == "error"} == {"T2J605"}


def test_an_imported_function_may_give_a_module_another_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TORCH2JAX_DEBUG", "1")
    helper = "import torch.nn as nn\n\n\ndef frozen(model: nn.Module):\n    inner = model\n    inner.eval()\n    return inner\n"
    program = "import torch.nn as nn\nfrom helper import frozen\n\n\ndef main(x):\n    net = nn.Linear(2, 2)\n    return frozen(net)(x)\n"
    (tmp_path / "helper.py").write_text(helper)
    (tmp_path / "main.py").write_text(program)
    conversion = torch2jax.convert_file(tmp_path / "main.py")
    assert "T2J006" in {remark.code for remark in conversion.diagnostics}


TRAINER = """\
import torch
from torch import nn


class Trainer(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Linear(2, 1)
        self.optimizer = torch.optim.SGD(self.net.parameters(), lr=0.1)

    def update(self, x):
        loss = self.net(x).pow(2).mean()
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
"""


@pytest.mark.parametrize(
    ("use", "code"),
    [
        ("trainer.eval()", None),
        ("trainer = trainer.to('cpu')", None),
        ("print(trainer.net)", None),
        ("torch.save(trainer.state_dict(), 'x.pt')", "T2J603"),
        ("print(trainer(torch.ones(1, 2)))", "T2J603"),
        ("parts = torch.nn.ModuleList([trainer])", "T2J603"),
    ],
)
def test_a_class_that_only_trains_its_parts_is_no_module_in_other_files(
    use: str, code: str | None, tmp_path: Path
) -> None:
    (tmp_path / "source").mkdir()
    (tmp_path / "source" / "trainer.py").write_text(TRAINER)
    (tmp_path / "source" / "main.py").write_text(
        f"import torch\nfrom trainer import Trainer\n\ntrainer = Trainer()\ntrainer.update(torch.ones(3, 2))\n{use}\n"
    )
    found = torch2jax.convert_tree(tmp_path / "source", tmp_path / "out")
    errors = {
        (path.name, item.code) for path, made in found.items() for item in made.diagnostics if item.severity == "error"
    }
    assert errors == ({("main.py", code)} if code is not None else set())


def test_modules_are_made_without_what_another_file_stores_into_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    body = "    def __init__(self):\n        super().__init__()\n        self.fc = nn.Linear(2, 3)\n\n"
    forward = "    def forward(self, x):\n        return self.fc(x)\n"
    (tmp_path / "net.py").write_text(f"from torch import nn\n\n\nclass Net(nn.Module):\n{body}{forward}")
    (tmp_path / "main.py").write_text("from net import Net\n\nmodel = Net()\nmodel.epoch = 3\nprint(model.epoch)\n")
    conversions = torch2jax.convert_tree(tmp_path, tmp_path / "out")
    errors = {
        path.name: [item.code for item in found.diagnostics if item.severity == "error"]
        for path, found in conversions.items()
    }
    assert errors == {"net.py": [], "main.py": ["T2J601"]}
    with modules_forgotten(tmp_path / "out"):
        monkeypatch.syspath_prepend(str(tmp_path / "out"))
        net = load(tmp_path / "out" / "net.py", "net_made_without")
    assert net.Net(key=jax.random.key(0))(np.ones((4, 2))).shape == (4, 3)


CACHE = """
import torch


class Cache:
    def __init__(self, n):
        self.keys = [torch.zeros(3) for _ in range(n)]
        self.total = torch.zeros(3)

    def put(self, i, v):
        self.keys[i][0] = v

    def add(self, v):
        self.count(v)

    def count(self, v):
        self.total[0] = v

    def get(self, i):
        return self.keys[i]
"""


@pytest.mark.parametrize(
    ("use", "is_told"),
    [
        ("k = cache.get(0)\ncache.put(0, 2.0)\nprint(k)", True),
        ("k = cache.keys[0]\ncache.put(0, 2.0)\nprint(k)", True),
        ("t = cache.total\ncache.add(3.0)\nprint(t)", True),
        ("k = cache.get(0).clone()\ncache.put(0, 2.0)\nprint(k)", False),
        ("cache.put(0, 2.0)\nk = cache.get(0)\ncache.add(1.0)\nprint(k)", False),
    ],
)
def test_what_objects_of_another_file_change_is_told_where_somebody_holds_it(
    tmp_path: Path, use: str, is_told: bool
) -> None:
    (tmp_path / "source").mkdir()
    (tmp_path / "source" / "cache.py").write_text(CACHE)
    (tmp_path / "source" / "main.py").write_text(f"from cache import Cache\n\ncache = Cache(2)\n{use}\n")
    found = torch2jax.convert_tree(tmp_path / "source", tmp_path / "out")
    errors = [
        (path.name, item.code) for path, made in found.items() for item in made.diagnostics if item.severity == "error"
    ]
    assert errors == ([("main.py", "T2J303")] if is_told else [])


MODULES_THAT_CHANGE = {
    "models.py": """\
from torch import nn


class Plain(nn.Module):
    def forward(self, outputs, sizes):
        return outputs * 2


class Filling(nn.Module):
    def forward(self, outputs, sizes):
        outputs.mul_(sizes)
        return outputs
""",
    "main.py": """\
import torch
from models import Filling, Plain

post = {"box": Plain(), "mask": Filling()}
for name in post:
    out = torch.ones(2)
    print(post[name](out, torch.ones(2) * 2), out)
""",
}


def test_a_call_of_several_modules_of_another_file_of_which_one_changes_its_argument_is_told(tmp_path: Path) -> None:
    (tmp_path / "source").mkdir()
    for name, text in MODULES_THAT_CHANGE.items():
        (tmp_path / "source" / name).write_text(text)
    found = torch2jax.convert_tree(tmp_path / "source", tmp_path / "out")
    assert [item.code for made in found.values() for item in made.diagnostics] == ["T2J300"]


MIXIN = """\
from torch import nn


class Doubled(nn.Module):
    def forward(self, x):
        return super().forward(x) * 2


class Linear(Doubled, nn.Linear):
    pass
"""


@pytest.mark.parametrize(("asked", "codes"), [("Linear", []), ("Doubled", ["T2J603"])])
def test_classes_in_front_of_layers_stay_where_another_file_names_them(
    tmp_path: Path, asked: str, codes: list[str]
) -> None:
    (tmp_path / "source").mkdir()
    (tmp_path / "source" / "layers.py").write_text(MIXIN)
    (tmp_path / "source" / "main.py").write_text(f"import torch\nfrom layers import {asked}\n\nprint({asked})\n")
    found = torch2jax.convert_tree(tmp_path / "source", tmp_path / "out")
    assert [item.code for made in found.values() for item in made.diagnostics] == codes
    assert ("class Doubled" in (tmp_path / "out" / "layers.py").read_text()) == bool(codes)
