"""Fields that hold the parameters of modules beside them, normalized to these where they are read.

self.params = list(self.a.parameters()) + list(self.b.parameters())
self.opt = Adam(self.params)                                    ->   self.opt = Adam([*self.a.parameters(), *self.b.parameters()])
...
clip_grad_norm_(self.params, 1.0)                               ->   clip_grad_norm_([*self.a.parameters(), *self.b.parameters()], 1.0)

The modules are set by `__init__` for good. What is an iterator, and no list, is used up by the optimizer: lines that go through it later
do nothing in torch, and go.
"""

from __future__ import annotations

import libcst as cst

from torch2jax.facts.parameters import given_parameters, is_optimizer
from torch2jax.normalize.joined_parameters import joined_sources, passing_sources
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.normalize.used_up_parameters import idle_line, note_idle
from torch2jax.program.program import Class, Function, Program, dotted
from torch2jax.program.statements import bound_parts
from torch2jax.syntax.edits import always
from torch2jax.values import Kind

_TAKING = ("torch.optim.", "torch.nn.utils.clip_grad_", "torch.nn.utils.parameters_to_vector")


def normalize_listed_fields(work: NormalizationRound) -> None:
    """Normalize all such fields of the classes of a file."""
    if not work.program.mentions("parameters"):
        return
    for line in work.index.every(cst.SimpleStatementLine):
        match line:
            case cst.SimpleStatementLine(
                body=[cst.Assign(targets=[cst.AssignTarget(target=cst.Attribute() as field)], value=value)]
            ):
                function = work.program.function_around(line)
                if function is not None and _is_own(function, field):
                    _normalize(work, line, field, value, function)


def _is_own(function: Function, field: cst.Attribute) -> bool:
    """Whether a line of `__init__` sets a field of the object."""
    return function.name == "__init__" and function.owner is not None and dotted(field.value) == function.self_name


def _normalize(
    work: NormalizationRound,
    line: cst.SimpleStatementLine,
    field: cst.Attribute,
    value: cst.BaseExpression,
    init: Function,
) -> None:
    listed, passing = joined_sources(work, value), passing_sources(work, value)
    sources = listed or passing
    if not sources or not all(_stays(work, source, line, init) for source in sources):
        return
    uses = _uses(work, field, init)
    if not uses:
        return
    idle: list[tuple[cst.Attribute, cst.BaseStatement]] = []
    if listed is None:
        first, *later = uses
        if not _makes_optimizer(work, first) or not work.is_behind(first, line):
            return
        for use in later:
            nothing = idle_line(work, use)
            if nothing is None:
                return
            idle.append((use, nothing))
        uses = [first]
    for use in uses:
        elements = [cst.StarredElement(work.copy(source)) for source in sources]
        work.edits.replace(use, always(cst.List(elements) if len(sources) > 1 else work.copy(sources[0])))
    for use, nothing in idle:
        note_idle(work, uses[0], use, nothing)
    work.edits.remove(line)


def _makes_optimizer(work: NormalizationRound, use: cst.Attribute) -> bool:
    call = work.index.parents[work.index.parents[use]]
    return (
        isinstance(call, cst.Call)
        and is_optimizer(work.values.torch_name(call.func) or "")
        and given_parameters(call) is use
    )


def _stays(work: NormalizationRound, source: cst.BaseExpression, line: cst.CSTNode, init: Function) -> bool:
    """Whether the module of `self.a.parameters()` is set above a line for good, and no part of a module is exchanged later."""
    assert isinstance(source, cst.Call) and isinstance(source.func, cst.Attribute)
    module, order = source.func.value, work.index.order
    if not isinstance(module, cst.Attribute) or dotted(module.value) != init.self_name:
        return False
    set_above = 0
    for home in work.program.files:
        for target in home.index.every(cst.AssignTarget, cst.AnnAssign, cst.For):
            function = home.function_around(target)
            for place in bound_parts(target.target):  # type: ignore[attr-defined]
                if not isinstance(place, cst.Attribute):
                    continue
                if function is init and place.attr.value == module.attr.value:
                    if order[target] > order[line]:
                        return False
                    set_above += 1
                elif function is None or function.name != "__init__":
                    is_part = work.values(place.value).kind is Kind.MODULE and work.values(place).kind is Kind.MODULE
                    is_field = place.attr.value == module.attr.value and _may_be_of(work, home, place, init)
                    if is_field or is_part:
                        return False
    return set_above == 1


def _uses(work: NormalizationRound, field: cst.Attribute, init: Function) -> list[cst.Attribute]:
    """Where the object reads its field, in the order of the text; none where others may, or it gets another value."""
    found: list[cst.Attribute] = []
    for home in work.program.files:
        for node in home.index.attributes:
            if node.attr.value != field.attr.value or node is field or not _may_be_of(work, home, node, init):
                continue
            function = home.function_around(node)
            is_own = function is not None and function.owner is init.owner and dotted(node.value) == function.self_name
            if not is_own or not _is_read_whole(work, node):
                return []
            found.append(node)
    return found


def _may_be_of(work: NormalizationRound, home: Program, node: cst.Attribute, init: Function) -> bool:
    """Whether the owner of an attribute may be an object of the class of `__init__`, or of one that derives from it."""
    function, owner = home.function_around(node), init.owner
    assert owner is not None
    if function is not None and function.owner is not None and dotted(node.value) == function.self_name:
        classes: list[Class | None] = [function.owner]
    else:
        value = work.values(node.value)
        if value.kind not in (Kind.OBJECT, Kind.MODULE, Kind.UNKNOWN):
            return False
        classes = [work.program.class_by_key.get(key) for key in value.types]
    return not classes or any(item is None or owner in item.lineage or item in owner.lineage for item in classes)


def _is_read_whole(work: NormalizationRound, node: cst.Attribute) -> bool:
    """Whether a list is given to torch, or a loop goes through it: nobody keeps or changes the list itself."""
    parent = work.index.parents.get(node)
    if isinstance(parent, (cst.For, cst.CompFor)):
        return parent.iter is node
    call = work.index.parents.get(parent) if isinstance(parent, cst.Arg) else None
    return isinstance(call, cst.Call) and (work.values.torch_name(call.func) or "").startswith(_TAKING)


__all__ = ["normalize_listed_fields"]
