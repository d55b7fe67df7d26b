"""Steps that call random transforms stay uncompiled, wherever these stand: compiled, they would draw once for all steps."""

import pytest

import torch2jax
from torch2jax import Options

IN_MODEL = "nn.Sequential(T.RandomHorizontalFlip(), T.RandomVerticalFlip())", "nn.Identity()"
ALONE = "nn.Identity()", "T.RandomHorizontalFlip()"
COMPOSED = "nn.Identity()", "T.Compose([T.RandomHorizontalFlip(), T.RandomVerticalFlip()])"
IN_SEQUENCE = "nn.Identity()", "nn.Sequential(T.CenterCrop(4), T.RandomVerticalFlip())"
PROGRAM = """
import torch
from torch import nn
from torchvision import transforms as T

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.augment = {inner}
        self.conv = nn.Conv2d(1, 1, 3)

    def forward(self, x):
        if self.training:
            x = self.augment(x)
        return self.conv(x)

net = Net()
prepare = {outer}
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(4):
    loss = net(prepare(torch.ones(1, 1, 4, 4))).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
"""


@pytest.mark.parametrize("target", ["equinox", "nnx", "linen"])
@pytest.mark.parametrize(("inner", "outer"), [IN_MODEL, ALONE, COMPOSED, IN_SEQUENCE])
def test_steps_stay_uncompiled(inner: str, outer: str, target: str) -> None:
    conversion = torch2jax.convert(PROGRAM.replace("{inner}", inner).replace("{outer}", outer), options=Options(target=target))
    assert [item.code for item in conversion.diagnostics] == ["T2J505"]
