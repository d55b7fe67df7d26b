"""Schedulers that are told to print: older versions of torch did, today's has no such argument."""

import pytest

import torch2jax
from torch2jax.diagnostics import Severity

PROGRAM = """
import torch
from torch import nn

net = nn.Linear(2, 2)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
scheduler = torch.optim.lr_scheduler.{made}
for i in range(4):
    opt.zero_grad()
    loss = net(torch.ones(1, 2)).pow(2).sum()
    loss.backward()
    opt.step()
    scheduler.step({given})
"""


@pytest.mark.parametrize(
    "made, given",
    [
        ("StepLR(opt, 2{more})", ""),
        ("LambdaLR(opt, lambda epoch: 0.9 ** epoch{more})", ""),
        ("ReduceLROnPlateau(opt, 'min', patience=1{more})", "loss.item()"),
    ],
)
@pytest.mark.parametrize("verbose, codes", [("True", {"T2J105"}), ("False", set())])
def test_verbose(made: str, given: str, verbose: str, codes: set[str]) -> None:
    with_argument = torch2jax.convert(PROGRAM.format(made=made.format(more=f", verbose={verbose}"), given=given))
    without = torch2jax.convert(PROGRAM.format(made=made.format(more=""), given=given))
    assert {item.code for item in with_argument.diagnostics} == codes
    assert not any(item.severity is Severity.ERROR for item in with_argument.diagnostics)
    assert with_argument.text == without.text
