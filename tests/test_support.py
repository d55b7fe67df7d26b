"""What becomes of a name: `torch2jax.coverage` says what the translator does, and `torch2jax support` prints it."""

import json
from pathlib import Path

import pytest

import torch2jax
from torch2jax.cli import main
from torch2jax.coverage import NORMALIZED, State, decide, find_names, known_names, read_usage, share_of_uses
from torch2jax.lower_control.transforms import RESTATED
from torch2jax.ops.tables import load_tables
from torch2jax.program.program import canonical
from torch2jax.rewrite.calls import SPECIAL_FUNCTIONS
from torch2jax.rewrite.statements import ERASED_CALLS, ERASED_DECORATORS

USES = read_usage((Path(__file__).parent / "data" / "api_usage.json").read_text(encoding="utf-8"))
TRANSLATED_SHARE = 0.9875  # of all uses in published code, with the default target


@pytest.mark.parametrize(
    ("name", "state"),
    [
        ("torch.cat", State.EXACT),
        ("Tensor.view", State.EXACT),
        ("torch.nn.functional.relu", State.EXACT),
        ("torch.nn.ReLU", State.EXACT),
        ("torch.float32", State.EXACT),
        ("torch.exp", State.ROUNDING),
        ("torch.nn.Linear", State.ROUNDING),
        ("torch.nn.modules.linear.Linear", State.ROUNDING),
        ("torch.rand", State.ADAPTED),
        ("torch.nn.Dropout", State.ADAPTED),
        ("torch.nn.BatchNorm2d", State.ADAPTED),
        ("torch.float64", State.ADAPTED),
        ("Tensor.long", State.ADAPTED),
        ("Tensor.add_", State.ADAPTED),
        ("Tensor.zero_", State.ADAPTED),
        ("torch.nn.init.zeros_", State.ADAPTED),
        ("torch.optim.AdamW", State.ADAPTED),
        ("torch.nn.ModuleList", State.ADAPTED),
        ("torch.manual_seed", State.ADAPTED),
        ("torch.utils.data.DataLoader", State.ADAPTED),
        ("torch.nn.utils.clip_grad_norm_", State.ADAPTED),
        ("torch.no_grad", State.ERASED),
        ("torch.jit.is_scripting", State.ERASED),
        ("torch.backends.cudnn.benchmark", State.ERASED),
        ("Tensor.contiguous", State.ERASED),
        ("Tensor.stride", State.UNSUPPORTED),
        ("Tensor.grad_fn", State.UNSUPPORTED),
        ("torch.nn.LazyLinear", State.UNSUPPORTED),
        ("torch.nn.Module.register_forward_hook", State.ADAPTED),
        ("torch.nn.Module.register_state_dict_pre_hook", State.UNSUPPORTED),
        ("torch.distributions.Distribution.sample", State.ADAPTED),
        ("torch.no_such_name", State.UNKNOWN),
        ("Tensor.stride_", State.UNKNOWN),
        ("Tensor.__add__", State.UNKNOWN),
    ],
)
def test_state_of_a_name(name: str, state: State) -> None:
    assert decide(name).state is state, decide(name)


def test_what_is_different_is_said() -> None:
    for support in map(decide, known_names()):
        assert support.state in support.targets.values(), support
        assert support.how or support.state in (State.EXACT, State.ROUNDING, State.UNKNOWN), support


def test_rows_without_a_translation_are_not_counted() -> None:
    tables = load_tables()
    refused = {
        name: spec.unsupported for name, spec in {**tables.functions, **tables.layers}.items() if spec.unsupported
    }
    assert len(refused) > 100
    for name, why in refused.items():
        decided = {*ERASED_CALLS, *ERASED_DECORATORS, *RESTATED, *SPECIAL_FUNCTIONS, *NORMALIZED}
        if name in decided or canonical(name) != name:
            continue  # a pass decides some of its uses; another name of the same
        assert decide(name).state is State.UNSUPPORTED and decide(name).how == why, name


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("torch.set_num_threads", "torch.set_num_threads(1)"),
        ("torch.cuda.manual_seed_all", "torch.cuda.manual_seed_all(0)"),
        ("torch.backends.cudnn.deterministic", "torch.backends.cudnn.deterministic = True"),
        ("torch.jit.ignore", "@torch.jit.ignore\ndef f(x):\n    return x"),
        ("torch.inference_mode", "@torch.inference_mode()\ndef f(x):\n    return x"),
        ("torch.autocast", 'with torch.autocast("cuda"):\n    y = 1'),
        ("torch.nn.attention.sdpa_kernel", "with torch.nn.attention.sdpa_kernel([]):\n    y = 1"),
        ("torch.set_grad_enabled", "with torch.set_grad_enabled(False):\n    y = 1"),
        ("Tensor.register_hook", "def f(x: torch.Tensor):\n    x.register_hook(print)"),
        ("Tensor.grad_fn", "def f(x: torch.Tensor):\n    return x.grad_fn"),
        ("Tensor.is_leaf", "def f(x: torch.Tensor):\n    return x.is_leaf"),
        ("Tensor.mul_", "def f(x: torch.Tensor):\n    y = x + 1\n    y.mul_(2)\n    return y"),
        ("Tensor.double", "def f(x: torch.Tensor):\n    return x.double()"),
        ("torch.LongTensor", "def f(x: torch.LongTensor):\n    return x"),
        ("torch.set_warn_always", "torch.set_warn_always(True)"),
    ],
)
def test_the_translator_does_what_is_said(name: str, code: str) -> None:
    """Names that passes decide without a row."""
    conversion = torch2jax.convert(f"import torch\n\n{code}\n")
    assert conversion.ok is decide(name).state.translated, conversion.diagnostics


def test_each_target_is_asked() -> None:
    support = decide("torch.nn.Module.named_parameters")
    assert support.targets == dict.fromkeys(("equinox", "nnx", "linen"), State.ADAPTED)


def test_share_of_uses() -> None:
    uses = {"torch.cat": 6, "torch.no_grad": 2, "Tensor.stride": 1, "torch.no_such_name": 1}
    shares = [(band.names, band.translated, band.uses) for band in share_of_uses(uses, (1, 3, 9))]
    assert shares == [(1, 6, 6), (3, 8, 9), (4, 8, 10)]


def test_most_uses_are_translated() -> None:
    *_, everything = share_of_uses(USES, (100,))
    assert everything.share >= TRANSLATED_SHARE


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("F.relu", "torch.nn.functional.relu"),
        ("nn.Linear", "torch.nn.Linear"),
        ("cat", "torch.cat"),
        ("view", "Tensor.view"),
    ],
)
def test_names_as_people_write_them(text: str, name: str) -> None:
    assert find_names(text) == [name]


def test_counts_have_two_forms() -> None:
    assert read_usage('{"names": {"torch.cat": 2, "torch.stack": {"uses": 3}}}') == {"torch.cat": 2, "torch.stack": 3}
    for wrong in ("[]", "{}", '{"names": {"torch.cat": null}}', "text"):
        with pytest.raises(ValueError):
            read_usage(wrong)


def test_command_for_a_name(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["support", "nn.BatchNorm2d"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("torch.nn.BatchNorm2d: adapted\n")


def test_command_for_a_namespace(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["support", "torch.fft"]) == 0
    assert "torch.fft.rfft " in capsys.readouterr().out


def test_command_for_everything(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["support"]) == 0
    assert f"{len(known_names())} public names of torch" in capsys.readouterr().out


def test_command_for_counts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    counts = tmp_path / "counts.json"
    counts.write_text(json.dumps({"names": {"torch.cat": 3, "Tensor.stride": 1}}))
    assert main(["support", "--usage", str(counts)]) == 0
    out = capsys.readouterr().out
    assert "75.00%" in out and "Tensor.stride: known unsupported" in out


@pytest.mark.parametrize(
    "arguments", [["torch.catt"], ["--usage", "missing.json"], ["torch.cat", "--usage", "missing.json"]]
)
def test_wrong_use(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["support", *arguments]) == 2
    assert capsys.readouterr().err.startswith("torch2jax: ")
