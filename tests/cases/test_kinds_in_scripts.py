"""What a script's variables are is known behind the loops and branches that give them their values."""

import pytest

import torch2jax

PROGRAM = """
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 2)

    def decode(self, z):
        return self.fc(z)

    def forward(self, x):
        return self.decode(x)


net = Net()
{block}
kept = out.cpu()
"""


@pytest.mark.parametrize(
    "block",
    [
        "for x in [torch.ones(3, 2)]:\n    out = net(x)",
        "for epoch in range(2):\n    for x in [torch.ones(3, 2)]:\n        out = net(x)",
        "if True:\n    out = net(torch.ones(3, 2))",
        "while True:\n    out = net(torch.ones(3, 2))\n    break",
    ],
)
def test_results_of_models_are_tensors(block: str) -> None:
    conversion = torch2jax.convert(PROGRAM.format(block=block))
    assert conversion.diagnostics == ()
    assert conversion.text.rstrip().endswith("kept = out")
