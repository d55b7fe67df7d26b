"""Every sample and every program here, translated: the same text as before, the same numbers as the original.

`UPDATE_SNAPSHOTS=1` rewrites the translations beside the samples; review them like code.
"""

import ast
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import jax
import numpy as np
import pytest

from tests.equivalence.harness import (
    Pair,
    build_pair,
    compare_initial_weights,
    compare_training,
    convert_text,
    load_module,
    run_main,
)

SAMPLES = Path(__file__).parents[2] / "samples"
PROGRAMS = Path(__file__).parent / "programs"


@dataclass(frozen=True)
class Model:
    """A class of a program, how to construct it, and inputs for it; `args` and `inputs` are made anew for every use."""

    class_name: str
    inputs: Callable[[np.random.Generator], tuple[Any, ...]]
    args: Callable[[ModuleType], tuple[Any, ...]] = lambda module: ()
    kwargs: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.class_name


def floats(*shape: int) -> Callable[[np.random.Generator], tuple[Any, ...]]:
    return lambda rng: (rng.standard_normal(shape).astype(np.float32),)


def indices(count: int, *shapes: tuple[int, ...]) -> Callable[[np.random.Generator], tuple[Any, ...]]:
    return lambda rng: tuple(rng.integers(0, count, shape, dtype=np.int32) for shape in shapes)


def unit_interval(*shape: int) -> Callable[[np.random.Generator], tuple[Any, ...]]:
    return lambda rng: (rng.random(shape).astype(np.float32),)


MODELS: dict[str, list[Model]] = {
    "classifier": [
        Model("MLP", floats(7, 20), lambda m: (20,), {"num_classes": 3}),
        Model("MLP", floats(2, 5), lambda m: (5,), {"hidden_sizes": ()}),
    ],
    "gpt": [
        Model("GPT", indices(64, (2, 16), (2, 16)), lambda m: (m.GPTConfig(),)),
        Model("GPT", indices(64, (1, 5)), lambda m: (m.GPTConfig(),)),
        Model("CausalSelfAttention", floats(2, 7, 32), lambda m: (m.GPTConfig(),)),
    ],
    "mlp_classifier": [
        Model("ResidualMLP", floats(6, 2), lambda m: (m.Config(),)),
        Model("ResidualMLP", floats(1, 2), lambda m: (m.Config(depth=1),)),
    ],
    "cnn_batchnorm": [
        Model("ConvNet", floats(4, 1, 16, 16)),
        Model("ConvNet", floats(3, 1, 16, 16), kwargs={"num_classes": 2, "channels": 4}),
    ],
    "small_gpt": [
        Model("SmallGPT", indices(20, (2, 16), (2, 16)), lambda m: (20,)),
        Model("SmallGPT", indices(20, (3, 5)), lambda m: (20,)),
        Model("Block", floats(2, 6, 16), lambda m: (16, 2, 8, 0.1)),
    ],
    "lstm_tagger": [
        Model("LSTMTagger", indices(20, (4, 9)), lambda m: (20, 3)),
        Model("LSTMTagger", indices(12, (1, 1)), lambda m: (12, 5), {"hidden_dim": 8}),
    ],
    "vae": [
        Model("VAE", unit_interval(5, 1, 8, 8)),
        Model("VAE", unit_interval(3, 64), kwargs={"latent_dim": 2}),
    ],
    "resnet": [
        Model("ResNet", floats(4, 3, 16, 16), lambda m: (m.BasicBlock, [1, 2, 1]), {"num_classes": 4}),
        Model("BasicBlock", floats(2, 4, 7, 9), lambda m: (4, 4)),
    ],
    "unet": [
        Model("UNet", floats(2, 1, 18, 18), lambda m: (1, 2)),
        Model("UNet", floats(2, 3, 21, 19), lambda m: (3, 1), {"bilinear": True}),
    ],
    "vit": [
        Model("VisionTransformer", floats(3, 3, 16, 16)),
        Model("Block", floats(2, 5, 16), lambda m: (16, 4)),
    ],
    "linear_regression": [],
}

TRAINS = [name for name in MODELS if name != "gpt"]
"""The programs that train; `gpt` only constructs a model and samples from it."""


def path_of(name: str) -> Path:
    return (PROGRAMS if (PROGRAMS / f"{name}.py").exists() else SAMPLES) / f"{name}.py"


@cache
def conversion(name: str) -> Any:
    return convert_text(path_of(name))


@cache
def loaded_modules(name: str) -> tuple[ModuleType, ModuleType]:
    torch_module = load_module(path_of(name).read_text(encoding="utf-8"), f"{name}_torch")
    return torch_module, load_module(conversion(name).text, f"{name}_jax")


def make_pair(name: str, model: Model) -> Pair:
    torch_module, jax_module = loaded_modules(name)
    torch_class = getattr(torch_module, model.class_name)
    return build_pair(torch_class, jax_module, args=model.args(torch_module), kwargs=model.kwargs)


def cases() -> list[Any]:
    return [
        pytest.param(name, model, id=f"{name}-{model}-{i}")
        for name, models in MODELS.items()
        for i, model in enumerate(models)
    ]


def test_every_sample_is_tested() -> None:
    names = {path.stem for path in SAMPLES.glob("*.py")}
    assert {name for name in names if not name.endswith("_jax")} - {"demo"} <= MODELS.keys()


@pytest.mark.parametrize("name", MODELS)
def test_nothing_is_left_to_do(name: str) -> None:
    errors = [d for d in conversion(name).diagnostics if str(getattr(d.severity, "value", d.severity)) == "error"]
    assert not errors
    assert conversion(name).ok


@pytest.mark.parametrize("name", MODELS)
def test_translation_does_not_need_torch(name: str) -> None:
    imports = [
        node for node in ast.walk(ast.parse(conversion(name).text)) if isinstance(node, ast.Import | ast.ImportFrom)
    ]
    modules = {alias.name for node in imports for alias in node.names} | {
        getattr(node, "module", "") for node in imports
    }
    assert not any(str(module).split(".")[0] in ("torch", "torch2jax") for module in modules)


@pytest.mark.parametrize("name", [name for name in MODELS if path_of(name).parent == SAMPLES])
def test_committed_translation_is_current(name: str) -> None:
    committed = SAMPLES / f"{name}_jax.py"
    if os.environ.get("UPDATE_SNAPSHOTS") == "1":
        committed.write_text(conversion(name).text, encoding="utf-8")
    assert committed.exists(), f"{committed.name} is missing: run with UPDATE_SNAPSHOTS=1"
    assert conversion(name).text == committed.read_text(encoding="utf-8")


@pytest.mark.parametrize("train", [False, True], ids=["eval", "train"])
@pytest.mark.parametrize(("name", "model"), cases())
def test_outputs_and_gradients_agree(name: str, model: Model, train: bool) -> None:
    pair = make_pair(name, model)
    inputs = model.inputs(np.random.default_rng(0))
    pair.forward(*inputs, train=train)
    pair.gradients(*inputs, train=train)


@pytest.mark.parametrize(("name", "model"), cases())
def test_initial_weights_have_the_same_distribution(name: str, model: Model) -> None:
    torch_module, jax_module = loaded_modules(name)
    torch_class = getattr(torch_module, model.class_name)
    compare_initial_weights(torch_class, jax_module, model.args(torch_module), model.kwargs)


@pytest.mark.parametrize("name", ["cnn_batchnorm", "resnet"])
def test_running_statistics_follow_over_several_batches(name: str) -> None:
    model = MODELS[name][0]
    pair = make_pair(name, model)
    rng = np.random.default_rng(1)
    for _ in range(3):
        pair.forward(*model.inputs(rng), train=True)
    pair.forward(*model.inputs(rng), train=False)


@pytest.mark.parametrize("name", MODELS)
def test_training_agrees(name: str) -> None:
    runs = compare_training(path_of(name).read_text(encoding="utf-8"), conversion(name).text, name=name)
    if path_of(name).parent == SAMPLES:
        assert len(runs.losses) >= 5, "main returns the loss of every step"
    if name in TRAINS and MODELS[name]:
        assert runs.compared_models, "the trained model was not found among the variables of main"


@pytest.mark.parametrize("name", MODELS)
def test_translation_trains_by_itself_and_uses_no_key_twice(name: str) -> None:
    with jax.debug_key_reuse(True):
        losses = run_main(load_module(conversion(name).text, f"{name}_alone")).result
    if losses is not None:
        third = len(losses) // 3
        assert np.all(np.isfinite(losses))
        assert np.mean(losses[-third:]) < np.mean(losses[:third])
