"""Modules of Flax Linen are definitions: `__init__` becomes fields and `setup`, and what a definition cannot do is reported."""

import inspect
from pathlib import Path
from typing import Any

import jax
import pytest
from flax import linen as nn

import torch2jax
from torch2jax.diagnostics import Severity
from torch2jax.runtime import linen_modules
from torch2jax.runtime.linen_checkpoints import named_parameters
from torch2jax.runtime.linen_layers import Linear
from torch2jax.runtime.linen_modules import Bound, Sequential, bind, is_training
from torch2jax.runtime.linen_training import parameter_tree
from torch2jax.targets.linen import LINEN

MODEL = '''import torch
import torch.nn as nn
import torch.nn.functional as F


class Net(nn.Module):
    """A small network."""

    def __init__(self, classes, width=16, rate=0.5):
        super().__init__()
        self.width = width
        self.conv = nn.Conv2d(1, width, 3, padding=1, bias=False)
        self.bn = nn.BatchNorm2d(width)
        self.drop = nn.Dropout(rate)
        self.blocks = nn.ModuleList([nn.Linear(width, width) for _ in range(3)])
        self.head = nn.Sequential(nn.Linear(width, 32), nn.ReLU(), nn.Linear(32, classes))
        self.scale = nn.Parameter(torch.ones(width))
        self.register_buffer("mean", torch.zeros(1))

    def forward(self, x):
        x = F.relu(self.bn(self.conv(x - self.mean)))
        x = x.mean(dim=(2, 3)) * self.scale
        for block in self.blocks:
            x = x + block(x)
        if self.training:
            x = x + torch.randn_like(x)
        return self.head(self.drop(x))


model = Net(10)
'''

EXPECTED = '''import jax
import jax.numpy as jnp
from flax import linen as nn
from torch2jax.runtime.linen_convolution import Conv2d
from torch2jax.runtime.linen_layers import Dropout, Linear
from torch2jax.runtime.linen_modules import Sequential, bind, is_training
from torch2jax.runtime.linen_normalization import BatchNorm


class Net(nn.Module):
    """A small network."""

    classes: int
    width: int = 16
    rate: float = 0.5

    def setup(self):
        self.conv = Conv2d(1, self.width, 3, padding=1, use_bias=False)
        self.bn = BatchNorm(self.width)
        self.drop = Dropout(self.rate)
        self.blocks = [Linear(self.width, self.width) for _ in range(3)]
        self.head = Sequential([Linear(self.width, 32), jax.nn.relu, Linear(32, self.classes)])
        self.scale = self.param("scale", lambda _: jnp.ones(self.width))
        self.mean = self.variable("buffers", "mean", lambda: jnp.zeros(1)).value

    def __call__(self, x):
        x = jax.nn.relu(self.bn(self.conv(x - self.mean)))
        x = x.mean(axis=(2, 3)) * self.scale
        for block in self.blocks:
            x = x + block(x)
        if is_training(self):
            x = x + jax.random.normal(self.make_rng("noise"), x.shape)
        return self.head(self.drop(x))


key = jax.random.key(0)
key, subkey = jax.random.split(key)
model = bind(Net(10), subkey)
'''

HEAD = """import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.fc = nn.Linear(width, width)
"""


def convert(text: str) -> torch2jax.Conversion:
    return torch2jax.convert(text, torch2jax.Options(target="linen", support="import"), path="model.py")


def test_text_of_a_model() -> None:
    conversion = convert(MODEL)
    assert conversion.ok
    assert conversion.text == EXPECTED


@pytest.mark.parametrize(
    "line",
    [
        "        self.head = nn.Linear(torch.randint(1, 5, (1,)).item(), 2)",
        "        self.items = nn.ModuleList([self.fc])\n        self.fc = nn.Linear(width, 3)",
        "        self.name = 'net'",
        "        self.noise = np.random.rand(width)",
        "        self.size = 1 if hasattr(self, 'width') else 2",
        "        self.total = self.fc.weight.sum().item()",
        "        w = self.fc.weight\n        self.total = w[0].sum()",
        "        self.count = fill(self)",
        "        table = torch.arange(width)\n        self.w = nn.Parameter(torch.zeros(int(table.max()) + 1))",
        "        n = 0\n        for p in self.parameters():\n            n += 1\n            nn.init.constant_(p, n)\n        self.count = n",
        "        self.params = [width]",
        "        self.fc.bias = None",
        "    def save(self, path):\n        torch.save(self, path)\n\n    def used(self, x):\n        self.save(x)\n        return self.__call__(x)\n\n    def __len__(self):\n        return self.used(3)",
        "    def train(self, mode=True):\n        return super().train(mode)",
        "    def grow(self):\n        self.fc = nn.Linear(2, 2)",
        "    def fit(self, x):\n        self.fc.weight.data.mul_(2)\n\n    def __len__(self):\n        self.fit(3)\n        return 3",
    ],
)
def test_what_a_definition_cannot_do_is_reported(line: str) -> None:
    other = "\n\nclass Other(nn.Module):\n    def __init__(self, part):\n        super().__init__()\n        self.part = part\n"
    fill = "" if "fill(" not in line else "\n\ndef fill(net):\n    nn.init.zeros_(net.fc.bias)\n    return 3\n"
    text = f"{HEAD}{line}\n\n    def forward(self, x):\n        return self.fc(x)\n{other}{fill}".replace(
        "import torch\n", "import numpy as np\nimport torch\n", 1
    )
    errors = [item for item in convert(text).diagnostics if item.severity is Severity.ERROR]
    first = text[: text.index(line)].count("\n") + 1
    assert {item.code for item in errors} & {"T2J612", "T2J601"}
    assert all(first <= item.line <= first + line.count("\n") + 3 for item in errors), errors


def test_members_of_models_are_no_names_of_fields() -> None:
    members = {name for name in (*vars(Bound), *vars(bind(nn.Dense(1), jax.random.key(0)))) if name[0] != "_"}
    assert members and members <= LINEN.taken_names


@pytest.mark.parametrize(
    "lines",
    [
        "b = nn.Sequential(a.fc, nn.ReLU())",
        "b = nn.Sequential(a, nn.ReLU())\nc = nn.Sequential(a, nn.Tanh())",
        "parts = [a.fc]\nb = nn.Sequential(parts[0], nn.ReLU())",
        "def wrap(part):\n    return nn.Sequential(part, nn.ReLU())\n\n\nb = wrap(a.fc)",
        "def wrap(part):\n    return nn.Sequential(part, nn.ReLU())\n\n\nb = wrap(a)\nc = wrap(a)",
        "def wrap(part):\n    return nn.Sequential(part, nn.ReLU())\n\n\nb = wrap(a)\nc = nn.Sequential(a, nn.Tanh())",
        "class Pair:\n    def __init__(self):\n        self.net = Net(3)\n        self.b = nn.Sequential(self.net, nn.ReLU())\n"
        "        self.c = nn.Sequential(self.net, nn.Tanh())",
    ],
)
def test_models_in_two_others_are_reported(lines: str) -> None:
    text = f"{HEAD}\n    def forward(self, x):\n        return self.fc(x)\n\n\na = Net(3)\n{lines}\n"
    assert [item.code for item in convert(text).diagnostics if item.severity is Severity.ERROR] == ["T2J612"]


def test_a_model_is_a_part_of_one_other_when_it_runs() -> None:
    model, relu = bind(Linear(2, 2), jax.random.key(0)), jax.nn.relu
    bind(Sequential([model, relu]), jax.random.key(1))
    with pytest.raises(NotImplementedError, match="a part of a model"):
        bind(Sequential([model, relu]), jax.random.key(2))


def test_lists_of_models_outside_of_modules_are_reported() -> None:
    found = convert("import torch.nn as nn\nlayers = nn.ModuleList([nn.Linear(2, 2), nn.Linear(2, 2)])\n")
    assert [item.code for item in found.diagnostics if item.severity is Severity.ERROR] == ["T2J612"]


def test_support_code_of_another_target_is_reported() -> None:
    text = "import torch\nimport torch.nn as nn\n\nlayer = nn.Linear(2, 2)\nnn.utils.weight_norm(layer)\n"
    assert not convert(text).ok


def test_support_code_of_another_target_is_left_out_of_shared_modules(tmp_path: Path) -> None:
    up, net = (
        "import torch.nn as nn\n\nup = nn.ConvTranspose1d(2, 3, 3)\n",
        "import torch.nn as nn\n\ndef make():\n    return nn.FractionalMaxPool2d(2, output_size=3)\n",
    )
    folder = tmp_path / "net"
    folder.mkdir()
    for name, text in (("__init__", ""), ("up", up), ("net", net)):
        (folder / f"{name}.py").write_text(text)
    options = torch2jax.Options(target="linen", support="module")
    found = torch2jax.convert_tree(tmp_path, tmp_path / "out", options)
    assert [place.name for place, item in found.items() if not item.ok] == ["net.py"]
    assert all("equinox" not in place.read_text() for place in (tmp_path / "out").rglob("*.py"))


@pytest.mark.parametrize(
    ("lines", "is_reported"),
    [
        ("a.fc = nn.Linear(3, 3)", False),
        ("fc = nn.Linear(3, 3)\na.fc = fc", False),
        ("old = a.fc\na.fc = nn.Linear(3, 3)\nprint(old)", True),
        ("b, fc = Net(3), nn.Linear(3, 3)\na.fc = fc\nb.fc = fc", True),
        ("b = Net(3)\na.fc = b.fc", True),
    ],
)
def test_parts_that_are_exchanged_later(lines: str, is_reported: bool) -> None:
    text = f"{HEAD}\n    def forward(self, x):\n        return self.fc(x)\n\n\na = Net(3)\n{lines}\n"
    codes = {item.code for item in convert(text).diagnostics if item.severity is Severity.ERROR}
    assert codes == ({"T2J612"} if is_reported else set())


@pytest.mark.parametrize(
    ("line", "is_reported"), [("b.weight.data.copy_(a.weight)", True), ("b.bias.data.zero_()", False)]
)
def test_new_parts_that_start_from_others_are_reported(line: str, is_reported: bool) -> None:
    made = f"        a = nn.Linear(2, 2)\n        b = nn.Linear(2, 2)\n        {line}\n        self.net = nn.Sequential(a, b)\n"
    text = f"{HEAD}{made}\n    def forward(self, x):\n        return self.net(self.fc(x))\n"
    found = [item for item in convert(text).diagnostics if item.severity is Severity.ERROR]
    assert {item.code for item in found} == {"T2J612"} if is_reported else not found


HOLDER = """import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)
        self.body = nn.Sequential(nn.Linear(3, 3), nn.ReLU())
        self.layers = nn.ModuleList([nn.Linear(3, 3)])
        self.heads = nn.ModuleDict({"a": nn.Linear(3, 3)})

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return self.heads["a"](self.body(self.fc(x)))


a = Net()
"""


@pytest.mark.parametrize(
    ("lines", "is_reported"),
    [
        ("a.layers[0] = nn.Linear(3, 3)", False),
        ("layer = nn.Linear(3, 3)\na.layers.append(layer)", False),
        ("for name in a.heads:\n    a.heads[name] = nn.Linear(3, 3)", False),
        ("a.body[-1] = nn.Tanh()", False),
        (
            "class Holder:\n    pass\n\n\nh = Holder()\nh.layers = nn.ModuleList([a])\nh.layers.append(nn.Linear(3, 3))",
            False,
        ),
        ("old = a.body[0]\na.body[0] = nn.Linear(3, 3)\nprint(old)", True),
        ("a.layers[0] = a.fc", True),
        ("a.layers.append(a.fc)", True),
        ("a.layers.insert(0, nn.Linear(3, 3))", True),
        ("a.layers += [nn.Linear(3, 3)]", True),
        ("a.body.append(nn.Linear(3, 3))", True),
        ("del a.layers[0]", True),
        ('del a.heads["a"]', True),
        ("del a.fc", True),
        ('delattr(a, "fc")', True),
        ("a.fc.bias = None", True),
    ],
)
def test_parts_in_containers_that_are_exchanged_later(lines: str, is_reported: bool) -> None:
    codes = {item.code for item in convert(f"{HOLDER}{lines}\n").diagnostics if item.severity is Severity.ERROR}
    assert (bool(codes) and codes <= {"T2J603", "T2J612"}) is is_reported


def test_models_of_files_with_support_code_of_their_own_are_models() -> None:
    names: dict[str, Any] = {"__name__": "other"}
    exec(inspect.getsource(linen_modules), names)  # as another file has it
    model = names["bind"](names["Sequential"]([Linear(2, 2)]), jax.random.key(0)).eval()
    assert [name for name, _ in named_parameters(model)] == ["0.weight", "0.bias"]
    assert not is_training(model)
    assert [name for name, _ in named_parameters(bind(Sequential([model]), jax.random.key(1)))] == [
        "0.0.weight",
        "0.0.bias",
    ]
    assert parameter_tree({"model": model}) == {"model": model.params}


@pytest.mark.parametrize(
    ("line", "is_reported"),
    [
        ("config.n += 1", True),
        ("Net.made = Net.made + 1", True),
        ("self.n = next(numbers)", True),
        ("registry.append(size)", True),
        ("self.n = new_number()", True),
        ("self.a = Part(config)\n        config.wide = True", True),
        ("config.wide = True\n        self.a = Part(config)", False),
        ("sizes = []\n        sizes.append(size)", False),
    ],
)
def test_changes_of_what_modules_are_made_with_are_reported(line: str, is_reported: bool) -> None:
    text = f"""import itertools
import torch
import torch.nn as nn

numbers, registry, total = itertools.count(), [], 0

def new_number():
    global total
    total += 1
    return total

class Config:
    def __init__(self):
        self.n, self.wide = 0, False

class Part(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.scale = 2 if config.wide else 1

    def forward(self, x):
        return x * self.scale

class Net(nn.Module):
    made = 0

    def __init__(self, config, size):
        super().__init__()
        {line}

    def forward(self, x):
        return x

net = Net(Config(), 3)
"""
    found = [item for item in convert(text).diagnostics if item.severity is Severity.ERROR]
    assert [item.code for item in found] == (["T2J612"] if is_reported else [])


def test_parameters_that_follow_others_in_forward_are_reported() -> None:
    text = f"""{HEAD}        self.slow = nn.Linear(width, width)

    @torch.no_grad()
    def follow(self):
        for a, b in zip(self.fc.parameters(), self.slow.parameters()):
            b.data = b.data * 0.9 + a.data * 0.1

    def forward(self, x):
        self.follow()
        return self.fc(x) - self.slow(x)

Net(3)(torch.ones(2, 3))
"""
    found = {item.code for item in convert(text).diagnostics if item.severity is Severity.ERROR}
    assert found == {"T2J612"}


def test_functions_that_change_parameters_in_forward_are_reported() -> None:
    text = f"""{HEAD}
    def forward(self, x):
        double(self.fc)
        return self.fc(x)

def double(layer):
    for p in layer.parameters():
        p.data.mul_(2)

Net(3)(torch.ones(2, 3))
"""
    found = {item.code for item in convert(text).diagnostics if item.severity is Severity.ERROR}
    assert found == {"T2J612"}


ASKED = [
    ("inner = make()", "list(inner.children())[:-1]", True),
    ("inner = Body()", "[part for part in inner.modules() if isinstance(part, nn.Linear)]", True),
    ("inner = loaded()", "[inner.head]", True),
    ("self.inner = inner = Body()", "list(self.inner.children())[:-1]", False),
    ("inner = Body()\n        self.inner = inner", "list(inner.children())[:-1]", False),
    ("inner = given", "list(given.children())[:-1]", False),
]


@pytest.mark.parametrize(("line", "parts", "is_reported"), ASKED)
def test_parts_of_what_is_being_made_are_asked_for_when_it_has_a_place(line: str, parts: str, is_reported: bool) -> None:
    text = f"""import torch
import torch.nn as nn

class Body(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)
        self.head = nn.Linear(3, 3)

    def forward(self, x):
        return self.head(self.fc(x))

def make():
    return Body()

def loaded():
    model = Body()
    model.load_state_dict(torch.load("body.pt"))
    return model

class Net(nn.Module):
    def __init__(self, given):
        super().__init__()
        {line}
        self.body = nn.Sequential(*{parts})

    def forward(self, x):
        return self.body(x)

net = Net(Body())
"""
    found = {item.code for item in convert(text).diagnostics if item.severity is Severity.ERROR}
    assert found == ({"T2J612"} if is_reported else set())


SET = """import torch
import torch.nn as nn


class Gate(nn.Module):
    def __init__(self):
        super().__init__()
        self.mode, self.rate, self.weight = "mean", 1.0, None
        self.register_buffer("total", torch.zeros(1))

    def forward(self, x):
        x = x if self.weight is None else x * self.weight
        return x.mean(1) if self.mode == "mean" else x.sum(1)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.gate = Gate()

    def forward(self, x):
        return self.gate(x)

    def change(self, value):
        {inside}


net = Net()
{outside}
print(net(torch.ones(2, 3)))
"""


@pytest.mark.parametrize(
    ("inside", "outside", "is_reported"),
    [
        ("self.gate.mode = value", "net.change('sum')", True),
        ("for m in self.modules():\n            if isinstance(m, Gate):\n                m.mode = value", "", True),
        ("for m in self.modules():\n            if hasattr(m, 'mode'):\n                m.mode = value", "", True),
        ("self.gate.total = value", "net.change(torch.ones(1))", False),
        ("pass", "for m in net.modules():\n    if hasattr(m, 'rate'):\n        m.rate = 2.0", False),
        ("pass", "for m in net.modules():\n    if hasattr(m, 'rate'):\n        m.weight = torch.ones(3)", True),
    ],
)
def test_settings_of_parts_that_methods_change_are_reported(inside: str, outside: str, is_reported: bool) -> None:
    program = SET.replace("{inside}", inside).replace("{outside}", outside)
    conversion = torch2jax.convert(program, options=torch2jax.Options(target="linen"))
    found = {item.code for item in conversion.diagnostics if item.severity is Severity.ERROR}
    assert found == ({"T2J612"} if is_reported else set())


HELD = """from collections import deque
from types import SimpleNamespace
import torch
import torch.nn as nn


class Meter:
    def __init__(self):
        self.count, self.seen = 0, []

    def update(self, value):
        self.count += 1
        self.seen.append(value)


class Net(nn.Module):
    def __init__(self, given, meter):
        super().__init__()
        self.fc = nn.Linear(3, 1)
        self.given, self.meter = given, meter
        self.kept = {made}

    def forward(self, x):
        {inside}
        return self.fc(x)


given, meter = [1.0, 2.0], Meter()
given.append(3.0)
net = Net(given, meter)
{outside}
print(net(torch.ones(2, 3)))
"""


@pytest.mark.parametrize(
    ("made", "inside", "outside", "is_reported"),
    [
        ("Meter()", "self.kept.update(1)", "", True),
        ("Meter()", "pass", "net.kept.update(1)", True),
        ("Meter()", "pass", "kept = net.kept\nkept.count = 2", True),
        ("SimpleNamespace(scale=1.0)", "pass", "net.kept.scale *= 2", True),
        ("deque(maxlen=3)", "self.kept.append(1)", "", True),
        ("{1, 2}", "pass", "net.kept.discard(1)", True),
        ("[[0, 1]]", "self.kept[0][0] += 1", "", True),
        ("{'a': {'b': 1}}", "pass", "net.kept['a']['b'] = 2", True),
        ("{'a': []}", "pass", "net.kept['a'].append(2)", True),
        ("[1]", "pass", "net.kept += [2]\nprint(len(net.kept))", True),
        ("meter", "self.kept.update(1)", "net.kept.update(2)", False),
        ("meter", "self.meter.update(1)", "meter.update(2)", False),
        ("Meter()", "x = x + self.kept.count", "print(net.kept.count)", False),
        ("given", "pass", "given.append(1.0)", True),
    ],
)
def test_changes_of_what_modules_make_for_themselves_are_reported(
    made: str, inside: str, outside: str, is_reported: bool
) -> None:
    text = HELD.replace("{made}", made).replace("{inside}", inside).replace("{outside}", outside)
    conversion = torch2jax.convert(text, options=torch2jax.Options(target="linen"))
    found = {item.code for item in conversion.diagnostics if item.severity is Severity.ERROR}
    assert found == ({"T2J612"} if is_reported else set())


@pytest.mark.parametrize(("others", "codes"), [("", []), ("def square(x):\n    return x * x\n\n\n", ["T2J609"])])
def test_models_that_may_be_functions_are_reported(others: str, codes: list[str]) -> None:
    text = (
        f"{HEAD}\n    def forward(self, x):\n        return self.fc(x)\n\n\n{others}"
        "def build(name):\n    return globals()[name](3)\n\n\nnet = build('Net')\n"
    )
    found = convert(text).diagnostics
    assert [item.code for item in found if item.severity is Severity.ERROR] == codes


SOURCES = """import argparse
import torch
import torch.nn as nn

SCALE = 2.0
table = {"bias": 1.0}
args = argparse.Namespace(gain=0.5, rate=0.1)


class Net(nn.Module):
    def __init__(self, options):
        super().__init__()
        self.gain = options.gain * SCALE + table["bias"]

    def forward(self, x):
        return x * self.gain


FIRST
net = Net(args)
THEN
print(net(torch.ones(2)))
"""


@pytest.mark.parametrize("line", ["SCALE = 3.0", "args.gain = 2.0", 'table["bias"] = 4.0', "table.clear()"])
def test_changes_of_what_modules_were_made_of_are_reported(line: str) -> None:
    later = convert(SOURCES.replace("FIRST", "").replace("THEN", line))
    assert [item.code for item in later.diagnostics if item.severity is Severity.ERROR] == ["T2J612"]
    earlier = convert(SOURCES.replace("THEN", "args.rate = 0.2").replace("FIRST", line))
    assert [item.code for item in earlier.diagnostics if item.severity is Severity.ERROR] == []
