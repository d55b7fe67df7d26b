"""The public names of the torch that is translated."""

from functools import cache
from pathlib import Path

VERSION = "2.13.0"
"""The version of torch that the tables were made for: what `torch.__version__` says in a translation."""


@cache
def listed_names() -> frozenset[str]:
    """All public names: `torch.cat`, `Tensor.view`."""
    return frozenset(Path(__file__).parent.with_name("torch_names.txt").read_text(encoding="utf-8").split())


@cache
def tensor_names() -> frozenset[str]:
    """The methods and fields of tensors."""
    return frozenset(name.removeprefix("Tensor.") for name in listed_names() if name.startswith("Tensor."))


@cache
def _all_names() -> frozenset[str]:
    """The public names and the modules around them."""
    names = listed_names()
    return names | {name.rsplit(".", count)[0] for name in names for count in range(1, name.count(".") + 1)}


def has_name(name: str) -> bool:
    """Whether torch has something under a public name: a function, a class, or a module."""
    return name in _all_names()
