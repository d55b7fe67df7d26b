"""Functions that ask a module which they are given for something by its name, normalized to their statements where they are called.

def make(module, config, *args):                           config_1 = config["optimizer"]
    name = config["type"]                            ->    name = config_1["type"]
    return getattr(module, name)(*args)                    optimizer = getattr(torch.optim, name)(model.parameters())

optimizer = make(torch.optim, config["optimizer"], model.parameters())

One such function makes models, optimizers, schedulers and loaders, which have nothing in common in a translation.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import libcst as cst

from torch2jax.facts.names_as_text import named_file
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.normalize.written_out import write_out
from torch2jax.program.calls import arguments_by_parameter
from torch2jax.program.program import Function
from torch2jax.syntax.walk import own_nodes

_NAMESPACES = frozenset({"torch", "torch.nn", "torch.nn.functional", "torch.optim", "torch.optim.lr_scheduler"})


def normalize_given_namespaces(work: NormalizationRound) -> None:
    """Write out one such function in each function around its calls."""
    changed: set[Function | None] = set()
    for call, reached in work.values.callees.items():
        if not isinstance(call, cst.Call) or call not in work.index.parents or len(reached) != 1:
            continue
        around = work.program.function_around(call)
        if around not in changed and reached[0] is not around and _gives_namespace(work, call, reached[0]):
            if write_out(work, call, reached[0]):
                changed.add(around)


def _gives_namespace(work: NormalizationRound, call: cst.Call, function: Function) -> bool:
    """Whether a function is given a module, and asks it for something by its name."""
    asked = set(_asked(function))
    given = arguments_by_parameter(function, call, work.values) if asked else []
    return any(name in asked and _is_namespace(work, argument) for name, argument in given)


def _is_namespace(work: NormalizationRound, node: cst.BaseExpression) -> bool:
    return work.values.torch_name(node) in _NAMESPACES or named_file(work.program, work.values, node) is not None


def _asked(function: Function) -> list[str]:
    """The parameters that a function asks for something by its name."""
    return [name for name in _asked_by_name(function.node) if name in function.parameter_names]


@lru_cache(maxsize=2048)
def _asked_by_name(function: cst.FunctionDef) -> Sequence[str]:
    """The variables that a function asks for something by its name."""
    found = []
    for node in own_nodes(function):
        match node:
            case cst.Call(func=cst.Name("getattr" | "vars"), args=[cst.Arg(value=cst.Name(name)), *_]):
                found.append(name)
            case cst.Attribute(value=cst.Name(name), attr=cst.Name("__dict__")):
                found.append(name)
    return found


__all__ = ["normalize_given_namespaces"]
