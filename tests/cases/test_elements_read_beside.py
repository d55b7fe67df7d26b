"""Steps that train an element of a list and read the list beside it: what goes through both names has one gradient in torch.
The optimizer and what it trains are at one place of their lists.
"""

import pytest

import torch2jax
from torch2jax.options import Options

PROGRAM = """
import torch
from torch import nn
import torch.nn.functional as F


class Trainer:
    def __init__(self):
        self.nets = [nn.Linear(2, 1) for _ in range(2)]
        self.others = [nn.Linear(2, 1) for _ in range(2)]
        self.opts = [torch.optim.SGD(net.parameters(), lr=0.1) for net in self.nets]

    def train(self, x, y):
        for net, opt in zip(self.nets, self.opts):
            loss = F.mse_loss(net(x) + {other}, y)
            opt.zero_grad()
            loss.backward()
            opt.step()
        return loss.item()


print(Trainer().train(torch.ones(3, 2), torch.ones(3, 1)))
"""


@pytest.mark.parametrize(
    ("other", "codes"),
    [
        ("self.nets[0](x)", {"T2J500"}),
        ("self.nets[0](x).detach()", set()),
        ("self.others[0](x)", set()),
        ("len(self.nets)", set()),
    ],
)
def test_lists_of_what_is_trained(other: str, codes: set[str]) -> None:
    conversion = torch2jax.convert(PROGRAM.replace("{other}", other), options=Options(target="nnx"))
    assert {item.code for item in conversion.diagnostics if item.severity == "error"} == codes


def test_variables_are_one_by_whatever_name() -> None:
    program = PROGRAM.replace("{other}", "self.nets[0](x)")
    assert torch2jax.convert(program, options=Options(target="linen")).ok


@pytest.mark.parametrize("target", ["nnx", "linen"])
@pytest.mark.parametrize(
    ("lists", "codes"),
    [
        ("self.nets[1:], self.opts[1:]", set()),
        ("self.nets[1:], self.opts", {"T2J501"}),
        ("self.nets, reversed(self.opts)", {"T2J501"}),
        ("reversed(self.nets), reversed(self.opts)", set()),
    ],
)
def test_places_of_both(lists: str, codes: set[str], target: str) -> None:
    program = PROGRAM.replace("{other}", "1").replace("self.nets, self.opts)", f"{lists})")
    conversion = torch2jax.convert(program, options=Options(target=target))  # type: ignore[arg-type]
    assert {item.code for item in conversion.diagnostics if item.severity == "error"} == codes
