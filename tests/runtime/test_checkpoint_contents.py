"""What checkpoints hold beside arrays goes through files of torch in both directions."""

import argparse
import collections
import io
import pathlib
import pickle

import jax.numpy as jnp
import numpy as np
import pytest
import torch

from torch2jax.runtime import checkpoints as c

PLAIN = {
    "args": argparse.Namespace(lr=0.1, sizes=[1, 2], nested=argparse.Namespace(on=True)),
    "seen": {1, 2},
    "frozen": frozenset({"a"}),
    "counts": (3, -1, 2**40),
    "text": "é",
}


def test_read_from_torch(tmp_path):
    stored = {
        **PLAIN,
        "w": torch.arange(6.0).view(2, 3).t(),
        "number": np.float64(0.5),
        "array": np.arange(4).reshape(2, 2),
        "counter": collections.Counter("aab"),
        "default": collections.defaultdict(list, a=[1]),
        "path": pathlib.Path("a") / "b",
        "dtype": np.dtype("float32"),
    }
    torch.save(stored, tmp_path / "x.pth")
    with (tmp_path / "x.pth").open("rb") as file:
        for loaded in (c.load(tmp_path / "x.pth"), c.load(file)):
            assert all(loaded[name] == value for name, value in PLAIN.items())
            np.testing.assert_array_equal(loaded["w"], stored["w"].numpy())
            np.testing.assert_array_equal(loaded["array"], stored["array"])
            assert loaded["number"] == 0.5 and loaded["counter"]["a"] == 2 and loaded["default"]["new"] == []
            assert str(loaded["path"]) == "a/b" and loaded["dtype"] == np.float32


def test_written_for_torch(tmp_path):
    buffer = io.BytesIO()
    for place in (tmp_path / "x.pt", str(tmp_path / "y.pt"), buffer):
        c.save({**PLAIN, "w": jnp.arange(3.0), "path": pathlib.Path("a/b")}, place)
        if place is buffer:
            buffer.seek(0)
        loaded = torch.load(place, weights_only=False)
        assert all(loaded[name] == value for name, value in PLAIN.items())
        assert loaded["w"].tolist() == [0, 1, 2] and loaded["path"] == "a/b"


def test_code_is_not_run(tmp_path):
    class Sneaky:
        def __reduce__(self):
            return print, ("run",)

    torch.save({"a": Sneaky()}, tmp_path / "x.pt")
    with pytest.raises(pickle.UnpicklingError, match="print"):
        c.load(tmp_path / "x.pt")


def test_from_an_address(tmp_path):
    torch.save({"w": torch.ones(2)}, tmp_path / "x.pth")
    for _ in range(2):
        found = c.load_state_dict_from_url((tmp_path / "x.pth").as_uri(), model_dir=tmp_path / "kept", progress=True)
        assert found["w"].tolist() == [1, 1] and (tmp_path / "kept" / "x.pth").is_file()
        (tmp_path / "x.pth").unlink(missing_ok=True)
