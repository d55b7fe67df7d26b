"""What a program that runs inside a test leaves behind in the process."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def modules_forgotten(folder: Path) -> Iterator[None]:
    """Inside, programs of `folder` may import each other; afterwards another program may have modules of the same names."""
    before = set(sys.modules)
    try:
        yield
    finally:
        for name in set(sys.modules) - before:
            origin = getattr(sys.modules[name], "__file__", None)
            if origin is not None and Path(origin).is_relative_to(folder):
                del sys.modules[name]
