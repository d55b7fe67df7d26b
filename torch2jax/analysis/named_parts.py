"""Parts of modules that are set by constant names, restated as assignments.

setattr(self, "head", nn.Linear(4, 2))     ->   self.head = nn.Linear(4, 2)
self.add_module("tail", nn.Linear(2, 1))   ->   self.tail = nn.Linear(2, 1)
"""

from __future__ import annotations

import keyword

import libcst as cst

from torch2jax.analysis.program import dotted
from torch2jax.analysis.restating import Restating
from torch2jax.values import NOTHING, Kind

_METHODS = frozenset({"add_module", "register_module"})
_WORDS = ("setattr", *sorted(_METHODS))


def restate_named_parts(work: Restating) -> None:
    """Restate all such statements of a file."""
    if not any(work.program.mentions(word) for word in _WORDS):
        return
    for call in work.index.calls:
        statement = work.index.parents.get(call)
        found = _part(work, call)
        if found is None or not isinstance(statement, cst.Expr):
            continue
        owner, name, value = found
        target = cst.AssignTarget(cst.Attribute(owner, cst.Name(name)))
        work.edits.replace(
            statement,
            lambda rewrite, target=target, value=value: cst.Assign([target], rewrite.expression(value)),  # type: ignore[misc]
        )


def _part(work: Restating, call: cst.Call) -> tuple[cst.BaseExpression, str, cst.BaseExpression] | None:
    """The module, the name and the value of a call that sets a part of a module of the program."""
    if any(item.star or item.keyword is not None for item in call.args):
        return None
    given = [item.value for item in call.args]
    if dotted(call.func) == "setattr" and len(given) == 3:
        owner, name, value = given
    elif isinstance(call.func, cst.Attribute) and call.func.attr.value in _METHODS and len(given) == 2:
        owner, (name, value) = call.func.value, given
    else:
        return None
    const, module = work.values(name).const, work.values(owner)
    if (
        const is NOTHING
        or not isinstance(const, str)
        or not const.isidentifier()
        or keyword.iskeyword(const)
        or dotted(owner) is None
    ):
        return None
    is_own = bool(module.types) and module.types <= work.program.class_by_key.keys()
    return (owner, const, value) if module.kind is Kind.MODULE and is_own else None
