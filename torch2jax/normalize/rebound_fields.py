"""Fields that hold a module of one class first and of another one in the end, normalized to a variable for the first.

self.body = resnet18()                                             ->   body = resnet18()
self.body.conv1 = nn.Conv2d(1, 64, 7)                                   body.conv1 = nn.Conv2d(1, 64, 7)
self.body = nn.Sequential(*list(self.body.children())[:-1])             self.body = nn.Sequential(*list(body.children())[:-1])

Nobody sees the field before `__init__` is done; a field of a class has one type then. So are lists of which a sequence is made:
self.features = nn.Sequential(*self.features); so are arrays that become tensors, in any object: self.grid = torch.from_numpy(self.grid).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import libcst as cst

from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.program import Function, dotted, is_super
from torch2jax.syntax.edits import always
from torch2jax.syntax.fresh import FreshNames
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind, Value

_REGISTERED = (Kind.MODULE, Kind.TENSOR, Kind.PARAMETERS, Kind.UNKNOWN)
_PARAMETERS = frozenset({"parameter", "frozen"})
_SCOPES = (cst.Lambda, cst.FunctionDef, cst.ClassDef)


def normalize_rebound_fields(work: NormalizationRound) -> None:
    """Normalize all such fields of a file, one field of each class in a round."""
    for item in work.program.classes.values():
        init = item.methods.get("__init__")
        if init is None or init.self_name is None:
            continue
        for field, lines in _bound(init).items():
            region = _region(init, lines)
            if len(lines) > 1 and _differ(work, lines) and _is_unseen(work, init, region, field, lines):
                _use_variable(work, init, region, field, lines[-1])
                break


def _bound(init: Function) -> dict[str, list[cst.SimpleStatementLine]]:
    """The lines of a function, none of them in a branch or a loop, that give each field its values."""
    found: dict[str, list[cst.SimpleStatementLine]] = {}
    for line in init.node.body.body:
        field = _field(line, init)
        if field is not None:
            assert isinstance(line, cst.SimpleStatementLine)
            found.setdefault(field, []).append(line)
    return found


def _field(line: cst.CSTNode, init: Function) -> str | None:
    """`body` of `self.body = value`."""
    match line:
        case cst.SimpleStatementLine(body=[cst.Assign(targets=[cst.AssignTarget(target=cst.Attribute() as place)])]):
            return place.attr.value if dotted(place.value) == init.self_name else None
    return None


def _region(init: Function, lines: Sequence[cst.SimpleStatementLine]) -> list[cst.CSTNode]:
    """The statements from the first line to the last."""
    body = list(init.node.body.body)
    return list(body[body.index(lines[0]) : body.index(lines[-1]) + 1])


def _differ(work: NormalizationRound, lines: Sequence[cst.SimpleStatementLine]) -> bool:
    """Whether a field holds modules of several known classes, a list of parts before a module is made of it, or what is none of
    torch's, or a plain tensor, before it holds a parameter.
    """
    values = [work.values(line.body[0].value) for line in lines if isinstance(line.body[0], cst.Assign)]
    if all(value.kind is Kind.LIST for value in values[:-1]) and values[-1].kind is Kind.MODULE:
        return True
    if _are_unregistered(values[:-1]) and values[-1].kind is Kind.TENSOR:
        return all(value.kind is Kind.PYTHON for value in values[:-1]) or bool(values[-1].types & _PARAMETERS)
    is_known = all(value.kind is Kind.MODULE and value.types for value in values)
    return is_known and any(value.types != values[0].types for value in values)


def _are_unregistered(values: Sequence[Value]) -> bool:
    """Whether these are no modules and no parameters, which a module has in the order in which it is given them."""
    return all(value.kind in (Kind.PYTHON, Kind.TENSOR) and not value.types & _PARAMETERS for value in values)


def _is_unseen(
    work: NormalizationRound,
    init: Function,
    region: Sequence[cst.CSTNode],
    field: str,
    lines: Sequence[cst.SimpleStatementLine],
) -> bool:
    """Whether nothing between the lines could see the field as such, or what is registered in which order."""
    parents = work.index.parents
    values = [work.values(line.body[0].value) for line in lines[:-1] if isinstance(line.body[0], cst.Assign)]
    is_in_order = init.owner is None or not init.owner.is_module or _are_unregistered(values)
    for statement in region:
        other = _field(statement, init)
        if other not in (None, field) and not is_in_order:
            assert isinstance(statement, cst.SimpleStatementLine) and isinstance(statement.body[0], cst.Assign)
            if work.values(statement.body[0].value).kind in _REGISTERED:
                return False
        for node in (statement, *descendants(statement)):
            if isinstance(node, _SCOPES) or is_super(node):
                return False
            if isinstance(node, cst.Name) and node.value == init.self_name and not work.index.is_label(node):
                place = parents[node]
                is_call = isinstance(parents[place], cst.Call) and parents[place].func is place  # type: ignore[attr-defined]
                if not isinstance(place, cst.Attribute) or is_call:
                    return False
                is_bound = isinstance(parents[place], (cst.AssignTarget, cst.AugAssign, cst.For, cst.Del))
                if is_bound and (place.attr.value != field or statement not in lines):
                    if place.attr.value == field or other is None:
                        return False
    return True


def _places(init: Function, statement: cst.CSTNode, field: str) -> Iterator[cst.Attribute]:
    for node in descendants(statement):
        if isinstance(node, cst.Attribute) and node.attr.value == field and dotted(node.value) == init.self_name:
            yield node


def _use_variable(
    work: NormalizationRound, init: Function, region: Sequence[cst.CSTNode], field: str, last: cst.SimpleStatementLine
) -> None:
    variables = (
        node for node in descendants(init.node) if isinstance(node, cst.Name) and not work.index.is_label(node)
    )
    name = FreshNames({node.value for node in variables})(field)
    for statement in region:
        for place in _places(init, statement, field):
            if statement is not last or not isinstance(work.index.parents[place], cst.AssignTarget):
                work.edits.replace(place, always(cst.Name(name)))


__all__ = ["normalize_rebound_fields"]
