"""Questions about devices: what torch calls them, and what is refused on a CPU."""

import hashlib
from pathlib import Path

import jax
import jax.numpy as jnp
import pytest

from torch2jax.runtime.device_queries import DeviceProperties, free_and_total_memory, memory_count
from torch2jax.runtime.devices import out_of_memory, require_full_precision, type_of_device
from torch2jax.runtime.downloads import download_url, download_url_to_file
from torch2jax.runtime.training import GradScaler


class _Device:
    platform = "gpu"


def test_types_have_the_names_of_torch() -> None:
    assert type_of_device(jax.devices("cpu")[0]) == "cpu"
    assert type_of_device(_Device()) == "cuda"


def test_rounding_on_a_cpu_is_refused() -> None:
    require_full_precision("cuda")
    require_full_precision("cpu", enabled=False)
    require_full_precision("cpu", dtype=jnp.float32)
    for options in ({}, {"dtype": jnp.bfloat16}, {"dtype": jnp.float16}):
        with pytest.raises(NotImplementedError):
            require_full_precision("cpu", **options)
    GradScaler("cpu", enabled=False)
    with pytest.raises(NotImplementedError):
        GradScaler("cpu")


@pytest.mark.parametrize("text, caught", [("RESOURCE_EXHAUSTED: out of memory", True), ("INTERNAL: other", False)])
def test_lack_of_memory(text: str, caught: bool) -> None:
    try:
        try:
            raise jax.errors.JaxRuntimeError(text)
        except out_of_memory():
            found = True
    except jax.errors.JaxRuntimeError:
        found = False
    assert found is caught


def test_memory_is_asked_of_a_device_its_number_or_its_name() -> None:
    first = jax.devices()[0]
    for device in (None, 0, "cuda:0", first):
        assert memory_count("bytes_in_use", device) == (first.memory_stats() or {}).get("bytes_in_use", 0)
        assert DeviceProperties(device).name == first.device_kind
    free, total = free_and_total_memory()
    assert 0 <= free <= total


def test_downloads_are_kept_and_checked(tmp_path: Path) -> None:
    source = tmp_path / "data.txt"
    source.write_text("42")
    digest = hashlib.sha256(b"42").hexdigest()
    download_url_to_file(source.as_uri(), tmp_path / "copy.txt", hash_prefix=digest[:8])
    assert (tmp_path / "copy.txt").read_text() == "42"
    with pytest.raises(RuntimeError, match="invalid hash"):
        download_url_to_file(source.as_uri(), tmp_path / "other.txt", hash_prefix="0000")
    assert not (tmp_path / "other.txt").exists()
    download_url(source.as_uri(), tmp_path / "folder", md5=hashlib.md5(b"42").hexdigest())
    source.write_text("43")
    download_url(source.as_uri(), tmp_path / "folder")
    assert (tmp_path / "folder" / "data.txt").read_text() == "42"
