"""What a program that runs inside a test leaves behind in the process."""

import multiprocessing
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def modules_forgotten(folder: Path) -> Iterator[None]:
    """Inside, programs of `folder` may import each other, and what other tests have imported under their names is none of
    theirs; afterwards another program may have modules of the same names, and processes start as before.
    """
    own = {item.stem for item in folder.iterdir() if item.suffix == ".py" or item.is_dir()}
    for name in [name for name in sys.modules if name.partition(".")[0] in own]:
        origin = getattr(sys.modules[name], "__file__", None)
        if origin is not None and not any(map(Path(origin).is_relative_to, (sys.prefix, sys.base_prefix))):
            del sys.modules[name]
    before = set(sys.modules)
    start_method = multiprocessing.get_start_method(allow_none=True)
    try:
        yield
    finally:
        multiprocessing.set_start_method(start_method, force=True)
        for name in set(sys.modules) - before:
            origin = getattr(sys.modules[name], "__file__", None)
            if origin is not None and Path(origin).is_relative_to(folder):
                del sys.modules[name]
