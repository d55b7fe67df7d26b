"""Helpers of timm that programs import: they are defined in the translation, with timm's names of parameters."""

import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
import torch

import torch2jax
from torch2jax.libraries import timm_helpers as helpers
from torch2jax.options import Options

MODEL = """\
import torch
import torch.nn as nn
from timm.models.layers import DropPath, to_2tuple, trunc_normal_
from timm.models.registry import register_model
from timm.models.vision_transformer import Block, PatchEmbed


class Net(nn.Module):
    def __init__(self, size, drop=0.0):
        super().__init__()
        self.size = to_2tuple(size)
        self.patch_embed = PatchEmbed(self.size, 4, 3, 8)
        self.blocks = nn.ModuleList([Block(8, 2, 2.0, qkv_bias=True, drop_path=drop) for _ in range(2)])
        self.drop_path = DropPath(drop) if drop > 0.0 else nn.Identity()
        self.head = nn.Linear(8, 5)
        trunc_normal_(self.head.weight, std=0.02)

    def forward(self, x):
        x = self.patch_embed(x)
        for block in self.blocks:
            x = block(x)
        return self.head(self.drop_path(x).mean(1))


@register_model
def tiny(pretrained=False, **kwargs):
    return Net(8, **kwargs)
"""


@pytest.fixture
def timm(monkeypatch: pytest.MonkeyPatch) -> None:
    """A stand-in for the library, which is not a dependency: the source of the helpers, and what is torch's own."""
    library = ModuleType("timm")
    library.__version__ = "0.3.2"  # type: ignore[attr-defined]
    for name in (
        "models",
        "models.layers",
        "models.registry",
        "models.vision_transformer",
        "optim",
        "optim.optim_factory",
    ):
        part = ModuleType(f"timm.{name}")
        vars(part).update({key: value for key, value in vars(helpers).items() if not key.startswith("__")})
        vars(part).update(trunc_normal_=torch.nn.init.trunc_normal_, register_model=lambda function: function)
        monkeypatch.setitem(sys.modules, f"timm.{name}", part)
    monkeypatch.setitem(sys.modules, "timm", library)


def translated(text: str, target: str = "equinox") -> tuple[dict, list[str]]:
    conversion = torch2jax.convert(text, Options(target=target))
    space: dict = {"__name__": "translated"}
    exec(compile(conversion.text, "translated", "exec"), space)
    return space, [item.code for item in conversion.diagnostics if item.severity == "error"]


@pytest.mark.usefixtures("timm")
def test_a_model_with_helpers_of_timm(tmp_path: Path) -> None:
    import jax

    space: dict = {"__name__": "original"}
    exec(compile(MODEL, "original", "exec"), space)
    ours, errors = translated(MODEL)
    assert errors == []
    theirs = space["tiny"](drop=0.5).eval()
    torch.save(theirs.state_dict(), tmp_path / "weights.pt")
    import equinox as eqx

    from torch2jax.runtime.checkpoints import load_state_dict

    model = eqx.nn.inference_mode(ours["tiny"](drop=0.5, key=jax.random.key(0)))
    model = load_state_dict(model, {key: value.numpy() for key, value in theirs.state_dict().items()})
    x = np.random.default_rng(0).normal(size=(2, 3, 8, 8)).astype(np.float32)
    assert np.allclose(model(x), theirs(torch.tensor(x)).detach().numpy(), atol=1e-5)


TRAINING = """\
import timm
import torch
import torch.nn as nn
from timm.optim.optim_factory import add_weight_decay

assert timm.__version__ == "0.3.2"  # version check


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.shift = nn.Parameter(torch.full((1, 4), 0.3))
        self.fc1 = nn.Linear(3, 4)
        self.fc2 = nn.Linear(4, 1)
        for i, p in enumerate(self.parameters()):
            nn.init.constant_(p, 0.1 + 0.1 * i)

    def forward(self, x):
        return self.fc2(torch.tanh(self.fc1(x) + self.shift))


model = Net()
optimizer = torch.optim.AdamW(add_weight_decay(model, 0.3, ("shift",)), lr=0.1, eps=0.01)
x = torch.linspace(-1, 1.5, 12).reshape(4, 3)
losses = []
for i in range(4):
    loss = ((model(x) - 1) ** 2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    losses.append(loss.item())
sizes = [len(group["params"]) for group in optimizer.param_groups]
"""


@pytest.mark.usefixtures("timm")
def test_groups_with_and_without_decay() -> None:
    space: dict = {"__name__": "original"}
    exec(compile(TRAINING, "original", "exec"), space)
    ours, errors = translated(TRAINING)
    assert errors == []
    assert ours["sizes"] == space["sizes"] == [3, 2]
    assert np.allclose(ours["losses"], space["losses"], rtol=1e-4)


SETTINGS = """\
import torch
from timm.models.layers import _assert, to_4tuple, to_ntuple
from timm.models.vision_transformer import _cfg

CONFIGS = {"tiny": _cfg(), "small": _cfg(url="small.pth", crop_pct=1.0, input_size=(3, 384, 384), strides=2)}


class Net(torch.nn.Module):
    def __init__(self, size):
        super().__init__()
        self.size = to_ntuple(2)(size)
        self.scale = torch.nn.Parameter(torch.tensor(to_4tuple(0.5)))

    def forward(self, x):
        _assert(x.shape[-2:] == self.size, f"size {x.shape} is not {self.size}")
        return x.sum((1, 2)) + self.scale


def tiny(pretrained=False, **kwargs):
    model = Net(4)
    model.default_cfg = _cfg()
    return model


model = tiny()
result = model(torch.ones(4, 4, 4)).tolist()
shown = (CONFIGS["small"]["crop_pct"], CONFIGS["small"]["strides"], CONFIGS["tiny"]["mean"], model.size)
asked = CONFIGS["tiny"]["num_classes"], CONFIGS["tiny"]["input_size"]
"""


@pytest.mark.usefixtures("timm")
@pytest.mark.parametrize("target", ["equinox", "nnx", "linen"])
def test_settings_of_weights_and_tests_of_sizes(target: str) -> None:
    space: dict = {"__name__": "original"}
    exec(compile(SETTINGS, "original", "exec"), space)
    ours, errors = translated(SETTINGS, target)
    assert errors == []
    assert ours["result"] == space["result"] == [16.5] * 4
    assert ours["shown"] == space["shown"]
    assert ours["asked"] == space["asked"] == (1000, (3, 224, 224))


def test_drop_path_drops_whole_examples() -> None:
    import jax

    text = "import torch\nfrom timm.layers import DropPath\n\nlayer = DropPath(0.25)\n\n\ndef apply(x):\n    return layer(x)\n"
    space, errors = translated(text)
    assert errors == []
    result = np.asarray(space["layer"](np.ones((4000, 3), np.float32), key=jax.random.key(1)))
    assert set(np.unique(result.round(5))) == {0.0, np.float32(1 / 0.75).round(5)}
    assert (result == result[:, :1]).all() and abs(result[:, 0].mean() - 1) < 0.05


@pytest.mark.parametrize(
    "text, codes",
    [
        ("from timm.models.layers import DropPath\n\nlayer = DropPath(drop_prob=0.1)\n", []),
        ("from timm.models.layers import DropPath\n\nlayer = DropPath(rate=0.1)\n", ["T2J200"]),
        ("from timm.models.swin_transformer import PatchEmbed\n\nlayer = PatchEmbed(32, 4)\n", ["T2J200"]),
        ("from timm.models.vision_transformer import Block\n\nlayer = Block(8, 2, 4.0, True, None, 0.1)\n", ["T2J200"]),
        ("from timm.models.vision_transformer import Block\n\nlayer = Block(8, 2, qkv_bias=True, qk_scale=None)\n", []),
        ("from timm.models.vision_transformer import Block\n\nlayer = Block(8, 2, qk_scale=0.5, drop=0.1)\n", []),
        ("from timm.models.layers import to_2tuple as pair\n\nsize = pair(3)\n", []),
        ("from timm.models.swin_transformer import _cfg\n\nprint(_cfg())\n", ["T2J200"]),
        ("from timm.data import IMAGENET_DEFAULT_MEAN\n\nprint(IMAGENET_DEFAULT_MEAN)\n", []),
    ],
)
def test_what_versions_of_timm_share(text: str, codes: list[str]) -> None:
    conversion = torch2jax.convert(f"import torch\n{text}", Options())
    assert sorted({item.code for item in conversion.diagnostics if item.severity == "error"}) == codes
