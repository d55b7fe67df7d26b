"""Boxes, losses and layers of torchvision.ops that programs import: their definitions are translated with the program."""

import io
import sys
from contextlib import redirect_stdout
from types import ModuleType

import pytest

import torch2jax
from tests.runtime.test_vision import theirs
from torch2jax.libraries import torchvision_ops
from torch2jax.options import Options

PROGRAM = """\
import torch
import torch.nn as nn
import torchvision
from torchvision import ops
from torchvision.ops import FrozenBatchNorm2d, SqueezeExcitation, StochasticDepth, box_convert, generalized_box_iou, sigmoid_focal_loss
from torchvision.ops.boxes import box_area
from torchvision.ops.misc import FrozenBatchNorm2d as Frozen

boxes = torch.tensor([[1.0, 2.0, 5.0, 7.0], [0.5, 0.0, 3.0, 4.0], [10.0, 3.0, 12.0, 9.0]])
other = torch.tensor([[2.0, 2.0, 4.0, 9.0], [0.0, 0.0, 3.5, 4.0]])
forms = ("xyxy", "xywh", "cxcywh")
for a in forms:
    for b in forms:
        print(a, b, box_convert(boxes, a, b).tolist())
print([[round(v, 5) for v in row] for row in generalized_box_iou(boxes, other).tolist()])
print(torchvision.ops.clip_boxes_to_image(boxes, (5, 6)).tolist())
print(ops.remove_small_boxes(boxes, 2.5).tolist(), box_area(boxes).tolist())
logits = torch.tensor([[1.0, -2.0, 0.5], [0.0, 3.0, -1.0]])
targets = torch.tensor([[1.0, 0.0, 0.0], [0.0, 1.0, 1.0]])
for reduction in ("mean", "sum"):
    print(round(sigmoid_focal_loss(logits, targets, alpha=0.3, gamma=1.5, reduction=reduction).item(), 5))
print(round(ops.generalized_box_iou_loss(boxes[:2], other, reduction="mean").item(), 5))


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 4, 3)
        self.norm = FrozenBatchNorm2d(4)
        self.second = Frozen(4, eps=1e-3)
        self.se = SqueezeExcitation(4, 2)
        self.depth = StochasticDepth(0.2, "row")
        self.order = ops.Permute([0, 2, 3, 1])

    def forward(self, x):
        x = self.se(self.second(self.norm(self.conv(x))))
        return self.order(x + self.depth(x))


net = Net()
for number, parameter in enumerate(net.parameters()):
    nn.init.constant_(parameter, 0.05 * (number + 1))
net.norm.running_mean.fill_(0.5)
net.eval()
x = torch.cos(torch.arange(150.0)).reshape(2, 3, 5, 5)
print(round(net(x).sum().item(), 4), net(x).shape[-1])
net.train()
print(list(net(x).shape), net.depth(torch.ones(4000, 1)).mean().item() > 0.9)
"""


def printed(text: str) -> list[str]:
    out = io.StringIO()
    with redirect_stdout(out):
        exec(compile(text, "program", "exec"), {"__name__": "program"})
    return out.getvalue().split()


@pytest.fixture
def torchvision(monkeypatch: pytest.MonkeyPatch) -> None:
    """The library where it is installed, else the definitions in its place."""
    if theirs is not None:
        return
    library = ModuleType("torchvision")
    library.ops = ModuleType("torchvision.ops")
    vars(library.ops).update(vars(torchvision_ops), box_area=torchvision_ops.area_of)
    for name in ("ops", "ops.boxes", "ops.misc"):
        monkeypatch.setitem(sys.modules, f"torchvision.{name}", library.ops)
    monkeypatch.setitem(sys.modules, "torchvision", library)


@pytest.mark.usefixtures("torchvision")
@pytest.mark.parametrize("target", ["equinox", "nnx"])
def test_a_program_prints_what_torchvision_gives(target: str) -> None:
    conversion = torch2jax.convert(PROGRAM, Options(target=target))
    assert [str(item) for item in conversion.diagnostics if item.severity == "error"] == []
    assert printed(conversion.text) == printed(PROGRAM)


@pytest.mark.parametrize(
    "call", ["box_convert(boxes, *forms)", "StochasticDepth(*given)", "roi_align(boxes, boxes, 7)"]
)
def test_what_cannot_be_told_is_reported(call: str) -> None:
    text = f"import torch\nfrom torchvision import ops\n\n\ndef make(boxes: torch.Tensor, forms, given):\n    return ops.{call}\n"
    conversion = torch2jax.convert(text, Options())
    assert [item.code for item in conversion.diagnostics if item.severity == "error"] == ["T2J200"]
