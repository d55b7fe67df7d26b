"""Fields that modules set when they are called and that nobody reads: attention weights kept to be looked at, say.

x, self.attn = attention(q, k, v)    ->   x, _ = attention(q, k, v)
self.last = x
model.hidden = torch.zeros(1, 1, 8)
self.device = x.device               # of which tensors are only made or moved: JAX has them where they are

They would be state, which has to be handed through every call of the module.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field

import libcst as cst

from torch2jax.facts.module_state import init_methods
from torch2jax.normalize.own_fields import may_be_of
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.ops.modules import MODULE_NAMES
from torch2jax.program.program import Class, dotted
from torch2jax.records import dataclass
from torch2jax.syntax.edits import Rewriter
from torch2jax.syntax.problem import Problem
from torch2jax.syntax.walk import descendants, with_fields
from torch2jax.values import Kind, Value

_DYNAMIC = ("vars", "__dict__", "__getattr__", "__setattr__", "__getattribute__", "__getstate__", "__setstate__")
_PURE = frozenset({"tuple", "list", "dict", "len", "int", "float", "str", "bool", "max", "min", "sum", "abs", "range"})
_LOOKUPS = frozenset({"getattr", "hasattr", "attrgetter"})


@dataclass(slots=True)
class WrittenField:
    """A field of a family of classes: where it is set."""

    name: str
    owner: Class
    stores: list[cst.Attribute] = field(default_factory=list)
    setters: list[cst.CSTNode] = field(
        default_factory=list
    )  # what sets it behind `__init__`: methods, lines of other code


def normalize_unread_fields(work: NormalizationRound) -> None:
    """Leave out all such fields of a file, and say so."""
    if speaks_of_all_fields(work):
        return
    kept: dict[cst.Attribute, WrittenField] = {}
    for item in written_fields(work):
        if not item.setters or not is_known_whole(work, item):
            continue
        reads = list(reads_of(work, item))
        if not reads:
            kept.update(dict.fromkeys(item.stores, item))
        elif all(_places(work, node) for node in reads):
            _leave_device(work, item)
    lines: dict[cst.CSTNode, list[cst.Attribute]] = {}
    for store in kept:
        lines.setdefault(work.index.statement_of(store), []).append(store)
    dropped = {item.name for item in kept.values()}
    for line, stores in lines.items():
        if not _can_go(line, stores):
            dropped -= {kept[store].name for store in stores}
    said: set[str] = set()
    for line, stores in lines.items():
        if all(kept[store].name in dropped for store in stores):
            _drop(work, line, stores)
        for store in stores:
            item = kept[store]
            if item.name in dropped and item.name not in said:
                said.add(item.name)
                fields = {"name": item.name, "module": item.owner.name}
                work.lasting.append(Problem(item.setters[0], "T2J610", fields))


def speaks_of_all_fields(work: NormalizationRound) -> bool:
    """Whether code may ask for the fields of objects without naming them."""
    return any(map(work.program.mentions, _DYNAMIC))


def written_fields(work: NormalizationRound) -> Iterator[WrittenField]:
    """The fields that methods of module classes set, each once for the classes that are one another's bases."""
    program, found = work.program, dict[tuple[str, str], WrittenField]()
    for node in work.index.attributes:
        if not isinstance(node.value, cst.Name) or not is_stored(work, node):
            continue
        function = program.function_around(node)
        owner = function.owner if function is not None else None
        is_own = function is not None and owner is not None and node.value.value == function.self_name
        if not is_own:
            owner = _only_class(work, node.value)
        if owner is None or not owner.is_module:
            continue
        name = node.attr.value
        item = found.setdefault((owner.lineage[-1].key, name), WrittenField(name, owner))
        item.stores.append(node)
        if function is None or not is_own:
            item.setters.append(work.index.statement_of(node))
        elif function not in init_methods(owner):
            item.setters.append(function.node)
    yield from found.values()


def _only_class(work: NormalizationRound, node: cst.BaseExpression) -> Class | None:
    """The class of the program that a module surely is of."""
    value = work.values(node)
    known = [work.program.class_by_key.get(key) for key in value.types] if value.kind is Kind.MODULE else []
    return known[0] if len(known) == 1 else None


def is_stored(work: NormalizationRound, node: cst.Attribute) -> bool:
    """Whether an attribute is set as a whole: `self.x = y`, `self.x += y`, `a, self.x = y`."""
    parents = work.index.parents
    parent = parents[node]
    if isinstance(parent, cst.Element):
        outer = parents[parent]
        return isinstance(outer, cst.Tuple) and isinstance(parents[outer], cst.AssignTarget)
    return isinstance(parent, cst.AssignTarget) or (isinstance(parent, cst.AugAssign) and parent.target is node)


def is_known_whole(work: NormalizationRound, item: WrittenField, of_parts: bool = False) -> bool:
    """Whether all that sets or reads a field is in sight, and it holds no part of its module, unless those are asked for."""
    name, program = item.name, work.program
    if name in program.read_elsewhere or name.startswith("__") or name in MODULE_NAMES | {"training", "requires_grad"}:
        return False
    family = [other for other in program.class_by_key.values() if _are_related(other, item.owner)]
    if any(other.node not in program.classes for other in family) or any(map(_is_of_torch, family)):
        return False
    if any(other.method(name) is not None or _declares(other, name) for other in family):
        return False
    values = [value for other in family if (value := other.field_value(name)) is not None]
    if (any(map(_is_part, values)) and not of_parts) or any(other.buffers.get(name) for other in family):
        return False
    return not any(_names(work, call, name) for call in work.index.calls)


def reads_of(work: NormalizationRound, item: WrittenField) -> Iterator[cst.Attribute]:
    """Where a field may be read."""
    keys = {other.key for other in work.program.class_by_key.values() if _are_related(other, item.owner)}
    for node in work.index.attributes:
        if node.attr.value == item.name and node not in item.stores and may_be_of(work.values(node.value), keys):
            if not _is_imported(work, node):
                yield node


def _is_imported(work: NormalizationRound, node: cst.Attribute) -> bool:
    """Whether a dotted name is that of a module in an import."""
    around: cst.CSTNode = node
    while isinstance(around, cst.Attribute):
        around = work.index.parents[around]
    return isinstance(around, (cst.ImportFrom, cst.ImportAlias))


def _are_related(one: Class, other: Class) -> bool:
    return one.lineage[-1] is other.lineage[-1]


def _is_of_torch(item: Class) -> bool:
    """Whether a class derives from a layer, whose own methods may read the field."""
    return any(base.kind is Kind.TORCH and base.const != "torch.nn.Module" for part in item.lineage for base in part.bases)  # fmt: skip


def _declares(item: Class, name: str) -> bool:
    """Whether the body of a class, outside of its methods, speaks of a name."""
    lines = [line for line in item.node.body.body if not isinstance(line, cst.FunctionDef)]
    return any(isinstance(node, cst.Name) and node.value == name for line in lines for node in descendants(line))


def _is_part(value: Value) -> bool:
    """Whether a value may be a part or a parameter of a module."""
    if value.kind in (Kind.LIST, Kind.TUPLE, Kind.DICT):
        return any(map(_is_part, value.parts))
    return value.kind is Kind.MODULE or (value.kind is Kind.TENSOR and bool(value.types & {"parameter", "frozen"}))


def _names(work: NormalizationRound, call: cst.Call, name: str) -> bool:
    """`getattr(module, name)` and its like, where the name is known to be another only if it is a plain text."""
    match call.func:
        case cst.Name(value=function) | cst.Attribute(attr=cst.Name(value=function)) if function in _LOOKUPS:
            asked = call.args[-1 if function == "attrgetter" else min(1, len(call.args) - 1)].value
            match asked:
                case cst.SimpleString():
                    return name in str(asked.evaluated_value).split(".")
                case cst.FormattedString(parts=[cst.FormattedStringText(value=start), *_]):
                    return name.startswith(start)
            return True
    return False


def _places(work: NormalizationRound, node: cst.Attribute) -> bool:
    """Whether a read of a field says where a tensor is made or moved: `device=self.device`, `x.to(self.device)`."""
    argument = work.index.parents[node]
    match argument, work.index.parents[argument]:
        case cst.Arg(keyword=cst.Name("device")), cst.Call():
            return True
        case cst.Arg(keyword=None), cst.Call(func=cst.Attribute(attr=cst.Name("to"))):
            return True
    return False


# leaving them out


def _leave_device(work: NormalizationRound, item: WrittenField) -> None:
    """Leave a field with the device that `__init__` gives it."""
    made = [store for store in item.stores if work.program.function_around(store) in init_methods(item.owner)]
    for store in item.stores if made else ():
        line = work.index.statement_of(store)
        match line:
            case cst.SimpleStatementLine(body=[cst.Assign(targets=[cst.AssignTarget(target=target)], value=value)]):
                if store not in made and target is store and work.values(value).kind is Kind.DEVICE:
                    _drop(work, line, [store])


def _can_go(line: cst.CSTNode, stores: Sequence[cst.Attribute]) -> bool:
    """Whether a line is a plain assignment of its own."""
    match line:
        case cst.SimpleStatementLine(body=[cst.Assign() | cst.AugAssign()]):
            return True
    return False


def _drop(work: NormalizationRound, line: cst.CSTNode, stores: Sequence[cst.Attribute]) -> None:
    assert isinstance(line, cst.SimpleStatementLine)
    small = line.body[0]
    if isinstance(small, cst.AugAssign):
        _evaluate(work, line, small.value)
        return
    assert isinstance(small, cst.Assign)
    left = [item for item in small.targets if item.target not in stores]
    if not left:
        _evaluate(work, line, small.value)
        return
    function = work.index.function_of(line)
    taken = {node.value for node in descendants(function or work.index.module) if isinstance(node, cst.Name)}
    fresh = work.names_at(line)

    def build(rewrite: Rewriter) -> list[cst.BaseStatement]:
        targets = []
        for item in left:
            target = item.target
            if isinstance(target, cst.Tuple):
                elements = [
                    with_fields(element, value=cst.Name("_" if "_" not in taken else fresh(element.value.attr.value)))
                    if isinstance(element.value, cst.Attribute) and element.value in stores
                    else element
                    for element in target.elements
                ]
                target = with_fields(target, elements=elements)
            targets.append(with_fields(item, target=target))
        return [with_fields(line, body=[with_fields(small, targets=targets, value=rewrite.expression(small.value))])]

    work.edits.rewrite_statement(line, build)


def _evaluate(work: NormalizationRound, line: cst.SimpleStatementLine, value: cst.BaseExpression) -> None:
    """What is left of a line: nothing, if its value can go unseen."""
    if _is_pure(work, value):
        work.edits.remove(line)
    else:
        work.edits.rewrite_statement(
            line, lambda rewrite: [with_fields(line, body=[cst.Expr(rewrite.expression(value))])]
        )


def _is_pure(work: NormalizationRound, value: cst.BaseExpression) -> bool:
    """Whether nothing happens where an expression is evaluated but that its value is made."""
    return all(
        _is_pure_call(work, node) for node in (value, *descendants(value)) if isinstance(node, (cst.Call, cst.Await))
    ) and not any(isinstance(node, (cst.NamedExpr, cst.Yield)) for node in (value, *descendants(value)))


def _is_pure_call(work: NormalizationRound, node: cst.CSTNode) -> bool:
    if not isinstance(node, cst.Call):
        return False
    assert work.effects is not None
    tables, name = work.effects.tables, work.values.torch_name(node.func)
    spec = tables.functions.get(name) if name is not None else None
    if spec is None and isinstance(node.func, cst.Attribute) and work.values(node.func.value).kind is Kind.TENSOR:
        method = node.func.attr.value
        if method in ("detach", "cpu", "item", "to", "clone", "numpy", "tolist"):
            return True
        spec = tables.method(method) if not method.endswith("_") else None
    if spec is None and dotted(node.func) in _PURE:
        return True
    if spec is None or spec.effects - {"rng"} or spec.unsupported is not None:
        return False
    return not any(item.keyword is not None and item.keyword.value in ("out", "inplace") for item in node.args)


__all__ = [
    "WrittenField", "is_known_whole", "is_stored", "normalize_unread_fields", "reads_of", "speaks_of_all_fields",
    "written_fields",
]  # fmt: skip
