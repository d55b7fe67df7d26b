"""`loss.data[0]`, as numbers were taken from tensors before torch 0.4, is `loss.item()`; today's torch refuses it."""

import pytest

import torch2jax

PROGRAM = """
import torch
from torch import nn
from torch.autograd import Variable

net = nn.Linear(2, 2)
{criterion}
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
total = 0
for i in range(4):
    x = Variable(torch.ones(1, 2))
    optimizer.zero_grad()
    loss = criterion(net(x), x)
    loss.backward()
    optimizer.step()
    total += loss.data[0]
    print(loss.data[0] / 2)
"""
KNOWN = "criterion = nn.MSELoss()"
UNKNOWN = "criterion = make_loss()"


@pytest.mark.parametrize("criterion", [KNOWN, "from losses import make_loss\n" + UNKNOWN])
def test_losses_are_numbers(criterion: str) -> None:
    program = PROGRAM.format(criterion=criterion)
    old, new = (torch2jax.convert(text) for text in (program, program.replace("loss.data[0]", "loss.item()")))
    assert old.text == new.text
    assert "total += loss.item()" in old.text
    assert [item.code for item in old.diagnostics] == [item.code for item in new.diagnostics]


def test_elements_of_tensors_with_axes_stay() -> None:
    converted = torch2jax.convert("import torch\n\nx = torch.ones(3)\nprint(x.data[0])\n")
    assert "item()" not in converted.text
