"""Questions about devices: what torch calls them, and what is refused on a CPU."""

import jax
import jax.numpy as jnp
import pytest

from torch2jax.runtime.devices import out_of_memory, require_full_precision, type_of_device
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
