"""Models of transformers of which a program reads the weights: the package is asked for them, as in torch."""

import sys
import types

import jax.numpy as jnp
import numpy as np
import pytest
import torch
from torch import nn

from torch2jax import convert

SOURCE = """
import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 3)

    def forward(self, x):
        return self.fc(x)

    @classmethod
    def from_pretrained(cls, kind):
        from transformers import OtherModel
        model = cls()
        sd = model.state_dict()
        other = OtherModel.from_pretrained(kind)
        sd_other = other.state_dict()
        for k in sd_other.keys():
            if k.endswith("weight"):
                assert sd_other[k].shape[::-1] == sd[k].shape
                with torch.no_grad():
                    sd[k].copy_(sd_other[k].t())
            else:
                with torch.no_grad():
                    sd[k].copy_(sd_other[k])
        return model
"""


class OtherModel(nn.Module):
    """A stand-in for a model of transformers, whose layers keep their weights transposed."""

    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 2)
        self.fc.bias = nn.Parameter(torch.arange(3.0))

    @classmethod
    def from_pretrained(cls, kind):
        assert kind == "small"
        made = cls()
        made.fc.weight.data = torch.arange(6.0).reshape(2, 3)
        return made


@pytest.fixture(autouse=True)
def library(monkeypatch):
    module = types.ModuleType("transformers")
    module.OtherModel = OtherModel
    monkeypatch.setitem(sys.modules, "transformers", module)


def run(text):
    names = {"__name__": "program"}
    exec(compile(text, "program.py", "exec"), names)
    return names


def test_weights_are_read():
    import jax

    result = convert(SOURCE)
    assert not [item for item in result.diagnostics if item.severity == "error"]
    theirs = run(SOURCE)["Net"].from_pretrained("small")
    ours = run(result.text)["Net"].from_pretrained("small", key=jax.random.key(0))
    x = np.array([0.5, -1.0], np.float32)
    np.testing.assert_allclose(ours(jnp.asarray(x)), theirs(torch.tensor(x)).detach().numpy(), rtol=1e-6)


@pytest.mark.parametrize("use", ["other(torch.ones(3))", "other.fc", "print(other)"])
def test_other_uses_are_reported(use):
    text = SOURCE.replace("sd_other = other.state_dict()", f"sd_other = other.state_dict()\n        {use}")
    assert "T2J200" in [item.code for item in convert(text).diagnostics]
