"""`torch2jax weights` brings state dicts from torch's files to safetensors, and back."""

from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.numpy import load_file
from torch import nn

from torch2jax.cli import main


def test_to_safetensors_and_back(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    net = nn.Sequential(nn.Linear(2, 3), nn.BatchNorm1d(3))
    torch.save(net.state_dict(), tmp_path / "a.pt")
    assert main(["weights", str(tmp_path / "a.pt"), str(tmp_path / "b.safetensors")]) == 0
    assert capsys.readouterr().err.endswith("7 arrays\n")
    found = load_file(tmp_path / "b.safetensors")
    for name, value in net.state_dict().items():
        np.testing.assert_array_equal(found[name], value.numpy())
    assert main(["weights", str(tmp_path / "b.safetensors"), str(tmp_path / "c.pth")]) == 0
    net.load_state_dict(torch.load(tmp_path / "c.pth"))


def test_parts_and_prefixes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    state = {"module.w": torch.ones(2)}
    torch.save({"epoch": 3, "model": state, "optimizer": {"state": {}, "param_groups": []}}, tmp_path / "a.pt")
    arguments = ["weights", str(tmp_path / "a.pt"), str(tmp_path / "b.safetensors"), "--prefix", "module."]
    assert main(arguments) == 0 and list(load_file(tmp_path / "b.safetensors")) == ["w"]
    assert main(arguments) == 2 and "exists" in capsys.readouterr().err
    assert main([*arguments, "--force", "--key", "model"]) == 0
    assert main([*arguments, "--force", "--key", "net"]) == 2
    assert "it has epoch, model, optimizer" in capsys.readouterr().err
    torch.save({"net": state, "ema": state}, tmp_path / "a.pt")
    assert main([*arguments, "--force"]) == 2 and "--key" in capsys.readouterr().err


def test_what_cannot_be_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    torch.save(nn.Linear(2, 2), tmp_path / "a.pt")
    (tmp_path / "b.pt").write_text("no weights")
    for name, reason in (("a.pt", "only arrays"), ("b.pt", "not a zip file"), ("c.pt", "no such file")):
        assert main(["weights", str(tmp_path / name), str(tmp_path / "out.safetensors")]) == 2
        assert reason in capsys.readouterr().err
    assert not (tmp_path / "out.safetensors").exists()
