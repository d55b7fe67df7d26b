"""Models of torchvision that programs import: their definitions become a part of the program, and are translated with it."""

import importlib
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
import torch
from PIL import Image

import torch2jax
from tests.installed_vision import torchvision_or_none
from torch2jax.api import convert_program
from torch2jax.libraries import torchvision_resnet as resnet
from torch2jax.normalize.library_sources import find_part, names_of_models
from torch2jax.normalize.library_weights import PREPARATIONS
from torch2jax.options import Options
from torch2jax.runtime import vision_transforms as vt

FAMILIES = (
    "alexnet",
    "convnext",
    "densenet",
    "efficientnet",
    "googlenet",
    "inception",
    "mobilenetv2",
    "mobilenetv3",
    "resnet",
    "shufflenetv2",
    "squeezenet",
    "vgg",
    "vision_transformer",
)

HEAD = """\
import torch
import torch.nn as nn
import torch.nn.functional as F
from torchvision import models

"""
IMAGES = """
x = torch.sin(torch.arange(2 * 3 * 64 * 64).float() * 0.7).reshape(2, 3, 64, 64)
y = torch.tensor([1, 3])
"""
STEPS = """
losses = []
for _ in range(2):
    loss = F.cross_entropy(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    losses.append(loss.item())
model.eval()
with torch.no_grad():
    result = model(x)
"""
TRANSFER = (
    HEAD
    + """
model = models.resnet18(pretrained=True)
model.fc = nn.Linear(model.fc.in_features, 5)
nn.init.constant_(model.fc.bias, 0.1)
with torch.no_grad():
    model.fc.weight.copy_(torch.cos(torch.arange(5 * 512).float()).reshape(5, 512) * 0.1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.0005, momentum=0.9)
"""
    + IMAGES
    + STEPS.replace("range(2)", "range(1)")  # what is rounded otherwise grows with each step
)
CHILDREN = (
    HEAD
    + """

class Encoder(nn.Module):
    def __init__(self, size):
        super().__init__()
        net = models.resnet18(weights=models.ResNet18_Weights.DEFAULT)
        self.body = nn.Sequential(*list(net.children())[:-1])
        self.linear = nn.Linear(net.fc.in_features, size)
        nn.init.constant_(self.linear.weight, 0.01)
        nn.init.zeros_(self.linear.bias)

    def forward(self, images):
        with torch.no_grad():
            features = self.body(images)
        return self.linear(features.reshape(features.size(0), -1)) * torch.arange(5.0)


model = Encoder(5)
optimizer = torch.optim.Adam(model.linear.parameters(), lr=0.01)
"""
    + IMAGES
    + STEPS
)
SUBCLASS = (
    HEAD.replace("from torchvision import models", "from torchvision.models.resnet import BasicBlock, ResNet")
    + """

class Small(ResNet):
    def __init__(self, classes):
        super().__init__(BasicBlock, [1, 1, 1, 1], num_classes=classes)
        self.scale = nn.Parameter(torch.ones(1))
        nn.init.zeros_(self.fc.bias)
        with torch.no_grad():
            for number, p in enumerate(self.parameters()):
                if p.dim() > 1:
                    p.copy_(torch.cos(torch.arange(p.numel()).float() * (1 + number % 3)).reshape(p.shape) * 0.1)

    def forward(self, x):
        return super().forward(x) * self.scale


model = Small(5)
count = sum(isinstance(m, BasicBlock) for m in model.modules())
optimizer = torch.optim.SGD(model.parameters(), lr=0.001)
"""
    + IMAGES
    + STEPS.replace("range(2)", "range(1)")
)


LOOKED_UP = """\
import argparse

import torch
import torchvision.models as models

names = sorted(name for name in models.__dict__ if name.islower() and callable(models.__dict__[name]))
parser = argparse.ArgumentParser()
parser.add_argument("--arch", default="resnet18", choices=names)
parser.add_argument("--pretrained", dest="pretrained", action="store_true")
args = parser.parse_args(["--pretrained"])
if args.arch in models.__dict__.keys() and args.pretrained:
    model = models.__dict__[args.arch](pretrained=True)
else:
    model = models.__dict__[args.arch]()
if args.arch.startswith("alexnet"):
    print("no norms")
count = sum(p.numel() for p in getattr(models, "squeezenet1_1")(num_classes=3).parameters())
model.eval()
x = torch.sin(torch.arange(2 * 3 * 64 * 64).float() * 0.7).reshape(2, 3, 64, 64)
with torch.no_grad():
    result = model(x)
"""


@pytest.fixture
def torchvision(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A stand-in for the library, which is not a dependency, and weights where torch keeps what it has downloaded."""
    library, models = ModuleType("torchvision"), ModuleType("torchvision.models")
    library.models = models
    for family in FAMILIES:
        source = importlib.import_module(f"torch2jax.libraries.torchvision_{family}")
        part = ModuleType(f"torchvision.models.{family}")
        vars(part).update({name: value for name, value in vars(source).items() if not name.startswith("_")})
        vars(models).update(vars(part))
        monkeypatch.setitem(sys.modules, f"torchvision.models.{family}", part)
    models.resnet18 = lambda pretrained=False, weights=None, **kwargs: resnet.resnet18(
        weights="IMAGENET1K_V1" if pretrained else weights, **kwargs
    )
    models.ResNet18_Weights = ModuleType("weights")
    models.ResNet18_Weights.DEFAULT = "DEFAULT"
    monkeypatch.setitem(sys.modules, "torchvision", library)
    monkeypatch.setitem(sys.modules, "torchvision.models", models)
    monkeypatch.setenv("TORCH_HOME", str(tmp_path))
    torch.manual_seed(0)
    folder = tmp_path / "hub" / "checkpoints"
    folder.mkdir(parents=True)
    torch.save(resnet.resnet18().state_dict(), folder / "resnet18-f37072fd.pth")


def exact(text: str) -> str:
    """A program whose model computes in float64: batch norms of two examples multiply what is rounded."""
    text = text.replace("model = Small(5)", "model = Small(5).double()")
    return text.replace(".reshape(2, 3, 64, 64)", ".reshape(2, 3, 64, 64).double()") if ".double()" in text else text


def run(text: str) -> dict:
    space: dict = {"__name__": "program"}
    exec(compile(text, "program", "exec"), space)
    return space


def translated(text: str, target: str = "equinox") -> str:
    conversion = torch2jax.convert(text, Options(target=target))
    assert [str(item) for item in conversion.diagnostics if item.severity == "error"] == []
    return conversion.text


@pytest.mark.usefixtures("torchvision")
@pytest.mark.parametrize("text", [TRANSFER, CHILDREN, SUBCLASS], ids=["head", "children", "subclass"])
def test_programs_train_equal(text: str) -> None:
    theirs, ours = run(exact(text)), run(translated(text))
    np.testing.assert_allclose(np.array(ours["losses"], float), theirs["losses"], rtol=2e-3, atol=1e-4)
    np.testing.assert_allclose(ours["result"], theirs["result"].numpy(), rtol=2e-2, atol=2e-3)
    assert ours.get("count") == theirs.get("count")


@pytest.mark.parametrize(
    "name, size",
    [
        ("resnet.ResNet(resnet.Bottleneck, [1, 2, 1, 1], 4, replace_stride_with_dilation=[False, True, True])", 32),
        ("resnet.ResNet(resnet.Bottleneck, [1, 1, 1, 1], groups=4, width_per_group=16, zero_init_residual=True)", 32),
        ("convnext.ConvNeXt([(8, 1), (16, 2)], 0.0, 0.5, 3)", 32),
        ("densenet.DenseNet(4, (2, 2), 8, num_classes=3)", 32),
        ("efficientnet.EfficientNet([(True, 4, 3, 2, 8, 8, 2), (False, 4, 5, 1, 8, 16, 2)], 0.2, num_classes=3)", 32),
        ("inception.Inception3(3, False, True, init_weights=False)", 75),
        ("mobilenetv2.MobileNetV2(3, inverted_residual_setting=[[1, 8, 1, 1], [6, 8, 2, 2]])", 32),
        ("mobilenetv3.MobileNetV3([(3, 8, 8, True, False, 2, 1), (5, 24, 8, False, True, 1, 2)], 16, 3)", 32),
        ("shufflenetv2.ShuffleNetV2([2, 2, 2], [8, 16, 24, 32, 16], 3)", 32),
        ("vision_transformer.VisionTransformer(32, 8, 2, 2, 8, 16, num_classes=3, representation_size=6)", 32),
    ],
)
def test_a_model_has_the_numbers_of_its_source(name: str, size: int) -> None:
    import equinox as eqx
    import jax

    from torch2jax.runtime.checkpoints import load_state_dict

    family = name.partition(".")[0]
    program = f"import torch\nfrom torchvision.models import {family}\n\n\ndef make():\n    return {name}\n"
    made = run(translated(program))["make"](key=jax.random.key(0))
    torch.manual_seed(1)
    source = importlib.import_module(f"torch2jax.libraries.torchvision_{family}")
    theirs = eval(name, {family: source}).eval()
    model, state = made if isinstance(made, tuple) else (made, None)
    weights = {key: value.numpy() for key, value in theirs.state_dict().items()}
    if state is None:
        model = load_state_dict(model, weights)
    else:
        model, state = load_state_dict(model, weights, state=state)
    x = torch.randn(1, 3, size, size)
    model = eqx.nn.inference_mode(model)
    out = model(x.numpy()) if state is None else model(x.numpy(), state)[0]
    expected = theirs(x).detach().numpy()
    np.testing.assert_allclose(out, expected, atol=2e-4 * max(1, np.abs(expected).max()), rtol=1e-3)


@pytest.mark.usefixtures("torchvision")
@pytest.mark.parametrize("target", ["equinox", "nnx"])
def test_models_are_looked_up_by_name(target: str) -> None:
    text = translated(LOOKED_UP, target)
    assert 'MODELS = {"resnet18": resnet18}' in text and "class AlexNet" not in text
    theirs, ours = run(LOOKED_UP), run(text)
    np.testing.assert_allclose(ours["result"], theirs["result"].numpy(), rtol=1e-3, atol=1e-4)
    assert ours["count"] == theirs["count"]


def test_options_that_other_files_give_stay(tmp_path: Path) -> None:
    builder, main = tmp_path / "builder.py", tmp_path / "main.py"
    builder.write_text("def build(make):\n    return make(zero_init_residual=True)\n")
    main.write_text(f"{HEAD}from builder import build\n\nnet = build(models.resnet18)\n")
    assert "zero_init_residual=False" in convert_program([builder, main], Options())[1].text


MODELS = (
    ("densenet121", 32), ("densenet161", 32), ("efficientnet_b1", 32), ("efficientnet_b5", 32), ("efficientnet_v2_s", 32),
    ("convnext_tiny", 32), ("googlenet", 32), ("inception_v3", 128), ("mobilenet_v3_large", 32), ("mobilenet_v3_small", 32),
    ("shufflenet_v2_x1_0", 32), ("vit_b_32", 224),
)  # fmt: skip


@pytest.mark.parametrize("name, size", MODELS)
def test_models_are_those_of_the_library(name: str, size: int) -> None:
    """The weights have the names and shapes of torchvision's, and the numbers are the same with them."""
    library = torchvision_or_none()
    if library is None:
        pytest.skip("torchvision is not installed")
    theirs = getattr(library.models, name)(num_classes=3).eval()
    source = find_part("torchvision.models", name)
    assert source is not None
    ours = getattr(importlib.import_module(f"torch2jax.libraries.{source.file}"), name)(num_classes=3).eval()
    assert [*ours.state_dict()] == [*theirs.state_dict()]
    ours.load_state_dict(theirs.state_dict())
    x = torch.randn(2, 3, size, size)
    torch.testing.assert_close(ours(x), theirs(x))


NAMED = """\
import numpy as np
import torch
from PIL import Image
from torchvision import models
from torchvision.models import ResNet18_Weights, resnet18

weights = models.ResNet18_Weights.DEFAULT
model = models.resnet18(weights=weights).eval()
preprocess = weights.transforms()
pixels = (np.sin(np.arange(90 * 70 * 3) * 0.37) * 127 + 128).astype(np.uint8).reshape(90, 70, 3)


def make(pretrained=True):
    weights = ResNet18_Weights.IMAGENET1K_V1 if pretrained else None
    if weights is None:
        print("from scratch")
    return resnet18(weights=weights)


def build(weights: ResNet18_Weights | None = ResNet18_Weights.DEFAULT):
    return resnet18(weights=weights)


def prepared(pixels, prepare=ResNet18_Weights.DEFAULT.transforms()):
    return prepare(torch.from_numpy(pixels).permute(2, 0, 1))


other = build(ResNet18_Weights.IMAGENET1K_V1)
other.eval()
with torch.no_grad():
    result = model(preprocess(Image.fromarray(pixels)).unsqueeze(0))
    again = other(prepared(pixels).unsqueeze(0))
"""


@pytest.mark.parametrize("target", ["equinox", "nnx"])
def test_names_hold_weights(target: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    if torchvision_or_none() is None:
        pytest.skip("torchvision is not installed")
    monkeypatch.setenv("TORCH_HOME", str(tmp_path))
    folder = tmp_path / "hub" / "checkpoints"
    folder.mkdir(parents=True)
    torch.manual_seed(0)
    torch.save(resnet.resnet18().state_dict(), folder / "resnet18-f37072fd.pth")
    text = translated(NAMED, target)
    assert 'weights = "DEFAULT"' in text and "preprocess = ImageClassification(crop_size=224)" in text
    theirs, ours = run(NAMED), run(text)
    for name in ("result", "again"):
        np.testing.assert_allclose(ours[name], theirs[name].numpy(), rtol=1e-3, atol=1e-3)


def test_pictures_are_prepared_as_the_library_does() -> None:
    """The table has the weights of all models that are known here, with the figures of the library, and the same pictures."""
    library = torchvision_or_none()
    if library is None:
        pytest.skip("torchvision is not installed")
    pixels = np.random.default_rng(0).integers(0, 256, (61, 83, 3), dtype=np.uint8)
    picture, tensor = Image.fromarray(pixels), torch.from_numpy(pixels).permute(2, 0, 1)
    members = set()
    for name in names_of_models("torchvision.models"):
        kind = library.models.get_model_weights(name)
        members |= {
            f"{kind.__name__}.{word}" for word in ("IMAGENET1K_V1", "IMAGENET1K_V2") if word in kind.__members__
        }
        members |= {f"{kind.__name__}.DEFAULT"} if kind.DEFAULT.name.startswith("IMAGENET1K_V") else set()
    assert members == set(PREPARATIONS)
    done = {}
    for member, given in PREPARATIONS.items():
        ours, theirs = eval(f"ImageClassification({given})", vars(vt)), library.models.get_weight(member).transforms()
        for field in ("crop_size", "resize_size", "mean", "std"):
            assert getattr(ours, field) == getattr(theirs, field), member
        assert ours.interpolation.name == theirs.interpolation.name, member
        assert str(ours) == str(theirs)
        done[given] = (ours, theirs)
    for ours, theirs in list(done.values())[:6]:
        np.testing.assert_allclose(ours(picture), theirs(picture).numpy(), atol=1e-5)
        np.testing.assert_allclose(ours(tensor.numpy()), theirs(tensor).numpy(), atol=0.02)


def test_only_what_is_used_is_written() -> None:
    text = translated("import torch\nimport torchvision\n\nnet = torchvision.models.resnet18(num_classes=10)\n")
    assert "class BasicBlock" in text and "class ResNet" in text
    for word in ("Bottleneck", "VGG", "groups", "norm_layer", "dilation", "load_state_dict", "zero_init"):
        assert word not in text
    assert "import torchvision" not in text


@pytest.mark.parametrize(
    "call, expected",
    [
        ("models.resnet18()", "resnet18()"),
        ("models.resnet18(False, True)", "resnet18()"),
        ("models.resnet18(pretrained=False, progress=True, num_classes=3)", "resnet18(num_classes=3)"),
        ("models.resnet18(not flag)", 'resnet18(weights="IMAGENET1K_V1" if not flag else None)'),
        ("models.resnet18(True)", 'resnet18(weights="IMAGENET1K_V1")'),
        ("models.resnet18(weights='DEFAULT')", "resnet18(weights='DEFAULT')"),
        ("models.resnet18(weights=models.ResNet18_Weights.IMAGENET1K_V1)", 'resnet18(weights="IMAGENET1K_V1")'),
        ("models.resnet18(pretrained=flag)", 'resnet18(weights="IMAGENET1K_V1" if flag else None)'),
        ("models.resnet18(flag)", 'resnet18(weights="IMAGENET1K_V1" if flag is True else flag or None)'),
    ],
)
def test_how_weights_are_asked_for(call: str, expected: str) -> None:
    conversion = torch2jax.convert(
        f"from torchvision import models\n\n\ndef make(flag):\n    return {call}\n", Options()
    )
    assert conversion.ok
    assert f"return {expected}".removesuffix(")") in conversion.text


@pytest.mark.parametrize(
    "text",
    [
        "net = models.resnet18(*args)\n",
        "net = models.resnet18(depth=3)\n",
        "net = models.resnext50_32x4d(groups=3)\n",
        "weights = models.ResNet18_Weights.DEFAULT\nnet = models.resnet18(weights=weights)\nnames = weights.meta\n",
        "weights = models.MaxVit_T_Weights.DEFAULT\nprepare = weights.transforms()\n",
        "prepare = models.ResNet18_Weights.DEFAULT.transforms(crop_size=32)\n",
        "def make(flag, other):\n    weights = models.ResNet18_Weights.DEFAULT if flag else other\n    return weights.transforms()\n",
        "class Net:\n    weights = models.ResNet18_Weights.DEFAULT\n\n\nnet = models.resnet18(weights=Net.weights)\n",
        "def make(flag):\n    weights = models.ResNet18_Weights.DEFAULT\n    if flag:\n        weights = None\n    return weights\n",
        "def make(w=models.ResNet50_Weights.DEFAULT):\n    return w.transforms()\n",
        "make = models.resnet18\nnet = make(pretrained=True)\n",
        "class Net(models.ResNet):\n    def _forward_impl(self, x):\n        return x\n",
        "net = models.resnet18(weights=pick())\n",
        "def is_net(x):\n    return isinstance(x, models.ResNet)\n",
        "def make(name):\n    return models.__dict__[name]()\n",
        "def make(name):\n    return getattr(models, name)()\n",
    ],
)
def test_what_is_not_as_it_is_here_is_reported(text: str) -> None:
    conversion = torch2jax.convert(f"import torch\nfrom torchvision import models\n\n{text}", Options())
    assert not conversion.ok


def test_names_of_the_program_stay() -> None:
    text = """\
import torch
import torch.nn as nn
from torchvision.models import resnet18 as make_body


class BasicBlock(nn.Module):
    def forward(self, x):
        return x


def resnet18():
    return make_body(num_classes=3)
"""
    out = translated(text)
    assert "class BasicBlock(eqx.Module)" in out and "class BasicBlock_1(" in out and "def make_body(" in out
