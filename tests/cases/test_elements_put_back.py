"""Elements of lists that are trained by another name go back to their places, where modules are values; whoever has an element
by a third name, and reads it later, would see the old one.
"""

import pytest

import torch2jax

PROGRAM = """
import torch
from torch import nn
import torch.nn.functional as F


class Trainer:
    def __init__(self):
        self.nets = {nets}
        self.opts = [torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9) for net in self.nets]
        {kept}

    def train(self, x, y):
        for net, opt in zip(self.nets, self.opts):
            opt.zero_grad()
            F.mse_loss(net(x), y).backward()
            opt.step()

    def look(self, x, y):
        {first}
        self.train(x, y)
        {behind}


Trainer().look(torch.ones(3, 2), torch.ones(3, 1))
"""
NETS = "[nn.Linear(2, 1) for _ in range(2)]"


@pytest.mark.parametrize(
    ("nets", "kept", "first", "behind", "codes"),
    [
        (NETS, "pass", "pass", "print(self.nets[0](x))", set()),
        (NETS, "pass", "net = self.nets[0]", "print(self.nets[0](x))", set()),
        (NETS, "pass", "net = self.nets[0]", "print(net(x))", {"T2J303"}),
        (NETS, "self.best = self.nets[0]", "pass", "print(self.best(x))", {"T2J303"}),
        (NETS, "self.all = self.nets + [nn.Linear(2, 1)]", "pass", "pass", {"T2J303"}),
        (NETS, "self.all = list(self.nets)", "pass", "pass", {"T2J303"}),
        (NETS, "self.all = {'a': self.nets[0]}", "pass", "print(self.all)", {"T2J303"}),
        (NETS, "pass", "saved = [net.state_dict() for net in self.nets]", "print(saved)", {"T2J303"}),
        (NETS, "self.nets.reverse()", "pass", "pass", {"T2J501"}),
        (NETS, "pass", "pass", "print(self.opts[0].state_dict())", {"T2J501"}),
        (NETS, "pass", "opt = self.opts[0]", "opt.step()", {"T2J501"}),
        ("[nn.Linear(2, 1)] * 2", "pass", "pass", "pass", {"T2J303"}),
        ("[nn.Linear(2, 1), nn.Linear(2, 1)]", "pass", "pass", "pass", set()),
        ("[net for net in torch.load('nets.pt')]", "pass", "pass", "pass", {"T2J500"}),
    ],
)
def test_other_names(nets: str, kept: str, first: str, behind: str, codes: set[str]) -> None:
    program = PROGRAM.format(nets=nets, kept=kept, first=first, behind=behind)
    conversion = torch2jax.convert(program)
    found = {item.code for item in conversion.diagnostics if item.severity == "error"}
    assert found == codes if not codes else codes <= found


@pytest.mark.parametrize(("made", "is_told"), [("self.nets", False), ("reversed(self.nets)", True)])
def test_optimizers_in_another_order(made: str, is_told: bool) -> None:
    program = PROGRAM.format(nets=NETS, kept="pass", first="pass", behind="pass")
    program = program.replace("for net in self.nets]", f"for net in {made}]")
    assert torch2jax.convert(program).ok is not is_told


OF_FUNCTIONS = """
import torch
from torch import nn
import torch.nn.functional as F


def main():
    nets = [nn.Linear(2, 1) for _ in range(2)]
    opts = [torch.optim.SGD(net.parameters(), lr=0.1) for net in nets]

    def one(i, x, y):
        opts[i].zero_grad()
        F.mse_loss(nets[i](x), y).backward()
        opts[i].step()

    first = nets[0]
    for i in range(2):
        one(i, torch.ones(3, 2), torch.ones(3, 1))
    print({read}(torch.ones(3, 2)))


main()
"""


@pytest.mark.parametrize(("read", "is_told"), [("nets[0]", False), ("first", True)])
def test_lists_around_functions(read: str, is_told: bool) -> None:
    assert torch2jax.convert(OF_FUNCTIONS.format(read=read)).ok is not is_told
