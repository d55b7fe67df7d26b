"""Where decorators give a test several things to call, it leaves out what does not go together, so nothing is known of them."""

import pytest
import torch
from torch import nn


class Plain(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 2)

    def forward(self, x):
        return self.fc(x)


class Counts(Plain):
    def __init__(self):
        super().__init__()
        self.register_buffer("count", torch.zeros(1))

    def forward(self, x):
        self.count += 1
        return self.fc(x) * self.count


def apply(model: Plain, x):
    return model(x)


def apply_twice(model: Counts, x):
    return model(model(x)[:, :1].expand(2, 3))


@pytest.mark.parametrize("Model", [Plain, Counts])
@pytest.mark.parametrize("run", [apply, apply_twice])
def test_runs(Model, run):
    if (Model is Plain) == (run is apply_twice):
        return
    model = Model()  # T2J605
    assert run(model, torch.ones(2, 3)).shape == (2, 2)
