"""Which forward hooks are reported: those that would not run as torch runs them."""

import pytest

import torch2jax
from torch2jax.options import Target

_NET = """
import copy
import torch
import torch.nn as nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 4)
        self.act = nn.ReLU(inplace={inplace})
        self.parts = nn.ModuleList([nn.Linear(4, 4)])

    def forward(self, x):
        return self.parts[0](self.act(self.fc(x)))

kept = []
model = Net()
x = torch.ones(2, 4)
"""
_KEEP = "model.fc.register_forward_hook(lambda m, i, o: kept.append(o))\n"
_STEP = (
    _KEEP
    + """
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(2):
    optimizer.zero_grad()
    loss = model(x).sum()
    loss.backward()
    optimizer.step()
"""
)


def hooks_reported(text: str, inplace: bool = False) -> bool:
    found = torch2jax.convert(_NET.format(inplace=inplace) + text)
    return any(item.code in ("T2J602", "T2J400") for item in found.diagnostics)


_OWN = """
class Own(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 4)
        self.kept, self.seen = None, {}

        def hook(module, inputs, output):
            %s

        self.fc.register_forward_hook(hook)

    def forward(self, x):
        return self.fc(x)
"""


@pytest.mark.parametrize("target", ["equinox", "nnx"])
@pytest.mark.parametrize(
    "line",
    ["self.kept = output", "self.seen['fc'] = output", "setattr(self, 'kept', output)", "self.seen.update(fc=output)"],
)
def test_hooks_that_change_the_module_around_are_reported(line: str, target: Target) -> None:
    program = _NET.format(inplace=False) + _OWN % line + "Own()(x).sum().backward()"
    assert "T2J602" in {item.code for item in torch2jax.convert(program, torch2jax.Options(target=target)).diagnostics}


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(_STEP.replace("loss = model(x)", "y = model(x)\n    print(kept)\n    loss = y"), id="between"),
        pytest.param(_STEP.replace(".sum()", ".sum() + kept[-1].sum()") + "print(kept)", id="within and outside"),
        pytest.param(_STEP.replace("append(o)", "append(o) or 2 * o"), id="gives and keeps"),
        pytest.param(_KEEP + "fast = torch.compile(model)\nfast(x)", id="compiled"),
        pytest.param(_KEEP + "other = copy.deepcopy(model)", id="copy"),
        pytest.param("store = {}\nmodel.fc.register_forward_hook(lambda m, i, o: store.update({m: o}))", id="key"),
        pytest.param("def hook(m, i, o):\n    m.out = o\nmodel.fc.register_forward_hook(hook)", id="field"),
        pytest.param("model.fc.register_forward_hook(lambda m, i, o: o + torch.rand(4))", id="lambda that draws"),
        pytest.param(
            "def hook(m, i, o):\n    return o + torch.rand(4)\nmodel.fc.register_forward_hook(hook)", id="draws"
        ),
        pytest.param(
            "for m in model.modules():\n    m.register_forward_hook(lambda m, i, o: kept.append(o))", id="lists"
        ),
        pytest.param(
            "def watch(layer):\n    layer.register_forward_hook(lambda m, i, o: kept.append(o))", id="callers"
        ),
        pytest.param("model.fc.register_forward_hook(print, with_kwargs=True)", id="options"),
        pytest.param(
            _STEP.replace("forward_hook", "full_backward_hook").replace("append(o)", "copy()"), id="gradients given"
        ),
        pytest.param("model.fc.register_backward_hook(lambda m, i, o: kept.append(i[0]))", id="gradients of inputs"),
        pytest.param("att = nn.MultiheadAttention(4, 1)\n" + _KEEP, id="fused"),
    ],
)
def test_hooks_that_would_not_run_the_same_are_reported(text: str) -> None:
    assert hooks_reported(text)


def test_what_changes_in_place_later_has_to_be_copied() -> None:
    assert hooks_reported(_KEEP, inplace=True)
    assert not hooks_reported(_KEEP.replace("append(o)", "append(o.clone())"), inplace=True)
    assert hooks_reported(_KEEP + "y = model(x)\ny.add_(1)")
    assert hooks_reported(_KEEP + "y = model(x).view(-1)\ny += 1")
    assert not hooks_reported(_KEEP + "total = torch.zeros(3)\ntotal += 1\nnn.init.zeros_(model.fc.weight)")


def test_names_of_classes_in_hooks_are_those_of_torch() -> None:
    attach = "norm.register_forward_hook(lambda m, i, o: print(type(m).__name__))\nnorm(x)\n"
    found = torch2jax.convert(_NET.format(inplace=False) + "norm = nn.BatchNorm1d(4)\n" + attach)
    assert 'dict(BatchNorm="BatchNorm1d"' in found.text
    other = torch2jax.convert(
        _NET.format(inplace=False) + "norm, two = nn.BatchNorm1d(4), nn.BatchNorm2d(4)\n" + attach
    )
    assert "T2J603" in {item.code for item in other.diagnostics}
