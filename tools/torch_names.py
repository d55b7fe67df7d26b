"""The public names of torch, as `torch2jax/torch_names.txt` lists them: `python -m tools.torch_names counts.json`.

The file of counts is optional: names that real code uses are listed even where torch does not export them officially.
"""

from __future__ import annotations

import importlib
import inspect
import json
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

OUTPUT = Path(__file__).parent.parent / "torch2jax" / "torch_names.txt"

MODULES = """
torch torch.nn torch.nn.functional torch.nn.init torch.nn.utils torch.nn.utils.rnn torch.nn.utils.parametrize
torch.nn.utils.parametrizations torch.nn.utils.prune torch.nn.attention torch.nn.parallel torch.linalg torch.fft
torch.special torch.distributions torch.distributions.constraints torch.distributions.transforms torch.optim
torch.optim.lr_scheduler torch.optim.swa_utils torch.func torch.autograd torch.autograd.functional torch.autograd.profiler
torch.utils.data torch.utils.checkpoint torch.utils.tensorboard torch.amp torch.cuda torch.cuda.amp torch.mps torch.xpu
torch.accelerator torch.jit torch.compiler torch.distributed torch.multiprocessing torch.random torch.sparse torch.export
torch.fx torch.onnx torch.profiler torch.testing torch.hub torch.masked torch.nested torch.signal.windows torch.overrides
torch.library torch.futures torch.package
""".split()
CLASSES = {
    "Tensor": ("torch", "Tensor"),
    "torch.nn.Module": ("torch.nn", "Module"),
    "torch.optim.Optimizer": ("torch.optim", "Optimizer"),
    "torch.optim.lr_scheduler.LRScheduler": ("torch.optim.lr_scheduler", "LRScheduler"),
}


def public_names() -> set[str]:
    """Everything that torch offers by a public name."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = {name for module in MODULES for name in names_of_module(module)}
        for prefix, (module, name) in CLASSES.items():
            members = dir(getattr(importlib.import_module(module), name))
            found |= {f"{prefix}.{member}" for member in members if not member.startswith("_")}
    return found


def names_of_module(path: str) -> Iterator[str]:
    """The names that a module exports: its `__all__`, or else what is defined in torch and no module."""
    try:
        module = importlib.import_module(path)
    except ImportError:  # of a package that torch does not require
        return
    declared = getattr(module, "__all__", None)
    for name in dir(module) if path == "torch" or declared is None else declared:
        value = getattr(module, name, None)
        if name.startswith("_") or value is None or isinstance(value, ModuleType):
            continue
        if declared is None:
            public = _is_of_torch(value)
        else:  # the rest of `torch` are its functions and constants, and classes of its compiler
            public = name in declared or not name[0].isupper()
        if public:
            yield f"{path}.{name}"


def _is_of_torch(value: object) -> bool:
    return (inspect.isclass(value) or callable(value)) and str(getattr(value, "__module__", "")).startswith("torch")


def main(arguments: list[str]) -> None:
    """Write the list."""
    names = public_names()
    for path in arguments:
        used = json.loads(Path(path).read_text(encoding="utf-8"))["names"]
        names |= {name for name in used if "__" not in name or name == "torch.__version__"}
    OUTPUT.write_text("\n".join(sorted(names)) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
