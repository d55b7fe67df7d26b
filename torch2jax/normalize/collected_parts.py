"""Containers of parts that a module holds by themselves, too, become properties that collect them.

self.conv = nn.Conv1d(2, 4, 3)                    self.conv = nn.Conv1d(2, 4, 3)
self.act = nn.ReLU()                       ->     self.act = nn.ReLU()
self.net = nn.Sequential(self.conv, self.act)
                                                  @property
                                                  def net(self):
                                                      return nn.Sequential(self.conv, self.act)

self.low = self.body[:4]                          def low(self):
                                                      return self.body[:4]

A module that is a value would hold each of them twice, and train two copies. So do objects that are no modules, and hold
parameters or parts (with every kind of module: `self.weight = Gaussian(self.mu, self.rho)` would keep what these were at first),
and plain lists of parts, of which torch knows nothing: `self.blocks = [self.first, self.second]`, or some of those in a list of
modules, `self.heads = [block[0] for block in self.blocks if isinstance(block[0], Head)]`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import libcst as cst

from torch2jax.facts.changed_parts import changes_part
from torch2jax.facts.effects import Draw
from torch2jax.normalize.own_fields import may_be_of
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.ops.schema import is_inplace_name
from torch2jax.program.calls import arguments_by_parameter
from torch2jax.program.program import Class, Function, dotted
from torch2jax.syntax.edits import Rewriter, is_docstring
from torch2jax.syntax.quote import quote_statement
from torch2jax.syntax.walk import descendants, with_fields
from torch2jax.values import Kind

_CONTAINERS = frozenset({"torch.nn.Sequential", "torch.nn.ModuleList"})
_LISTING = ("children", "named_children", "named_modules")  # which list the container as a part of its own
_FILLING = frozenset({"apply", "requires_grad_", "load_state_dict", "half", "double", "bfloat16", "reset_parameters"})
_GROWING = frozenset({"append", "extend", "insert", "add_module", "register_module", "pop", "__setitem__"})


def normalize_collected_parts(work: NormalizationRound) -> None:
    """Make properties of all such containers of a file."""
    assert work.effects is not None
    collects = work.effects.threads and not any(map(work.program.mentions, _LISTING))  # objects may be held twice
    for item in work.program.classes.values():
        maker = item.method("__init__")
        if (
            not item.is_module
            or maker is None
            or maker.owner is not item
            or not isinstance(item.node.body, cst.IndentedBlock)
        ):
            continue
        found = list(_collections(work, item, maker, collects))
        if found:
            for line, _, _ in found:
                work.edits.remove(line)
            _define(work, item, maker, [(name, value) for _, name, value in found])


Collection = tuple[cst.SimpleStatementLine, str, cst.BaseExpression]


def _collections(work: NormalizationRound, item: Class, maker: Function, collects: bool) -> Iterator[Collection]:
    """The lines of `__init__` that collect parts in a container, or parameters in an object: the field and its value."""
    body = maker.node.body
    for line in body.body if isinstance(body, cst.IndentedBlock) else ():
        match line:
            case cst.SimpleStatementLine(
                body=[
                    cst.Assign(
                        targets=[
                            cst.AssignTarget(target=cst.Attribute(value=cst.Name(own), attr=cst.Name(name)) as target)
                        ],
                        value=value,
                    )
                ]
            ) if own == maker.self_name:
                fields = [_field(part, own) for part in _collected(work, value, collects)]
                if (
                    fields
                    and None not in fields
                    and item.method(name) is None
                    and not changes_elsewhere(work, item, target, name)
                    and not _is_filled(work, item, name)
                    and all(_is_made_before(work, item, str(field), line) for field in fields)
                    and not (
                        isinstance(value, (cst.Subscript, cst.ListComp))
                        and _changes_later(work, item, str(fields[0]), line)
                    )
                ):
                    yield line, name, value


def _collected(work: NormalizationRound, value: cst.BaseExpression, collects: bool) -> list[cst.BaseExpression]:
    """The parts in what may become a property: a container, an object, a list, or some members of a sequence."""
    match value:
        case cst.Call() if _is_container(work, value):
            return _parts(value) if collects else []
        case cst.Call() if _is_fixed(work, value):
            return _given(value)
        case cst.List(elements=elements) | cst.Tuple(elements=elements):
            parts = [element.value for element in elements if isinstance(element, cst.Element)]
            is_whole = len(parts) == len(elements) and all(work.values(part).kind is Kind.MODULE for part in parts)
            return parts if is_whole else []
        case cst.ListComp(elt=part, for_in=cst.CompFor(target=cst.Name(name), iter=whole) as through):
            is_member = work.values(part).kind is Kind.MODULE and _is_part_of(work, part, name)
            of_modules = work.values(whole).kind is Kind.MODULE and work.values(whole).types <= _CONTAINERS
            return [whole] if is_member and of_modules and _asks_for_classes(work, through, name) else []
        case cst.Subscript(value=whole) if _is_slice(value) and work.values(whole).types <= _CONTAINERS:
            assert work.effects is not None
            is_list = work.values(whole).types == {"torch.nn.ModuleList"} and not work.effects.threads
            is_part = work.values(whole).kind is work.values(value).kind is Kind.MODULE and work.values(whole).types
            return [whole] if is_part and (collects or is_list) else []
    return []


def _is_part_of(work: NormalizationRound, node: cst.BaseExpression, name: str) -> bool:
    """Whether an expression is what a variable holds, or a part of it that stays: `block`, `block[0]`, `block.attn`."""
    match node:
        case cst.Name(value):
            return value == name
        case cst.Subscript(value=whole, slice=[cst.SubscriptElement(slice=cst.Index(value=number))]):
            return _is_number(number) and _is_part_of(work, whole, name)
        case cst.Attribute(value=whole, attr=cst.Name(field)):
            return _is_set_by_makers(work, field) and _is_part_of(work, whole, name)
    return False


def _is_set_by_makers(work: NormalizationRound, field: str) -> bool:
    """Whether fields of a name are set by `__init__` alone."""
    for node in work.index.attributes:
        if node.attr.value == field and _is_set(work, node):
            function = work.program.function_around(node)
            if function is None or function.name != "__init__":
                return False
    return True


def _asks_for_classes(work: NormalizationRound, through: cst.CompFor, name: str) -> bool:
    """Whether a comprehension is plain, and asks for nothing but the classes of parts."""
    if through.inner_for_in is not None or through.asynchronous is not None:
        return False
    for item in through.ifs:
        match item.test:
            case cst.Call(func=cst.Name("isinstance"), args=[cst.Arg(value=part), cst.Arg(value=asked)]):
                is_class = work.values(asked).kind in (Kind.CLASS, Kind.TORCH) and dotted(asked) is not None
                if is_class and _is_part_of(work, part, name):
                    continue
        return False
    return True


def _is_slice(node: cst.Subscript) -> bool:
    """`self.body[:4]`, `self.body[-1]`: some members, by numbers."""
    match node.slice:
        case [cst.SubscriptElement(slice=cst.Slice(lower=lower, upper=upper, step=step))]:
            return all(bound is None or _is_number(bound) for bound in (lower, upper, step))
        case [cst.SubscriptElement(slice=cst.Index(value=number))]:
            return _is_number(number)
    return False


def _is_number(node: cst.BaseExpression) -> bool:
    inner = node.expression if isinstance(node, cst.UnaryOperation) else node
    return isinstance(inner, cst.Integer)


def _changes_later(work: NormalizationRound, item: Class, name: str, line: cst.CSTNode) -> bool:
    """Whether members of a sequence in a field may become others, or more, but above a line of `__init__`."""
    body = list(work.index.parents[line].body)  # type: ignore[attr-defined]
    for node in fields_of_class(work, item, name):
        parent = _use(work, node)
        above = next((body.index(around) for around in work.index.ancestors(node) if around in body), len(body))
        grows = isinstance(parent, cst.Attribute) and parent.attr.value in _GROWING
        if (grows or _is_set(work, node)) and above >= body.index(line):
            return True
    return False


def _is_container(work: NormalizationRound, call: cst.Call) -> bool:
    return work.values.torch_name(call.func) in _CONTAINERS


def _is_fixed(work: NormalizationRound, call: cst.Call) -> bool:
    """Whether a call makes an object of the program that is no module and stays as it was made."""
    value = work.values(call)
    if value.kind is not Kind.OBJECT or work.values(call.func).kind is not Kind.CLASS or not value.types:
        return False
    for key in value.types:
        item = work.program.class_by_key.get(key)
        if (
            item is None
            or item.node not in work.program.classes
            or any(base.kind is not Kind.CLASS for base in item.bases)
        ):
            return False
        maker = item.method("__init__")
        is_plain = item.is_dataclass and item.method("__post_init__") is None
        if not (is_plain if maker is None else _only_stores(work, maker)):
            return False
        if any(item.method(name) is not None for name in ("__setattr__", "__setitem__", "__eq__")):
            return False
        if any(_is_set_outside(work, item, name, maker) for name, _ in item.all_fields()):
            return False
    return True


def _only_stores(work: NormalizationRound, maker: Function) -> bool:
    """Whether an `__init__` does no more than set fields, to the same values each time."""
    assert work.effects is not None
    lines = [line for line in maker.node.body.body if not is_docstring(line)]
    return work.effects.of(maker).draw is Draw.NONE and all(
        isinstance(line, cst.SimpleStatementLine)
        and all(isinstance(small, cst.Assign) and not _calls_program(work, small.value) for small in line.body)
        for line in lines
    )


def _calls_program(work: NormalizationRound, value: cst.BaseExpression) -> bool:
    calls = [node for node in (value, *descendants(value)) if isinstance(node, cst.Call)]
    return any(work.values.torch_name(call.func) is None for call in calls)


def _use(work: NormalizationRound, node: cst.Attribute) -> cst.CSTNode:
    """What a field, or an element of it, stands in."""
    parent: cst.CSTNode = work.index.parents[node]
    while isinstance(parent, (cst.Element, cst.Tuple, cst.Subscript)):
        parent = work.index.parents[parent]
    return parent


def _is_set(work: NormalizationRound, node: cst.Attribute) -> bool:
    return isinstance(_use(work, node), (cst.AssignTarget, cst.AugAssign, cst.Del))


def _is_set_outside(work: NormalizationRound, item: Class, name: str, maker: Function | None) -> bool:
    """Whether anything but the `__init__` of its class may set a field of an object."""
    return any(
        _is_set(work, node) and (maker is None or work.program.function_around(node) is not maker)
        for node in fields_of_class(work, item, name)
    )


def _given(call: cst.Call) -> list[cst.BaseExpression]:
    """What an object is given besides numbers and texts; nothing if something else is among it."""
    if any(arg.star for arg in call.args):
        return []
    plain = (cst.Integer, cst.Float, cst.SimpleString)
    return [arg.value for arg in call.args if not isinstance(arg.value, plain)]


def _parts(call: cst.Call) -> list[cst.BaseExpression]:
    """What a container is given; nothing if not all of it is in sight."""
    given = call.args
    if len(given) == 1 and isinstance(given[0].value, (cst.List, cst.Tuple)) and given[0].star in ("", "*"):
        return [element.value for element in given[0].value.elements if isinstance(element, cst.Element)]
    return [] if any(arg.star or arg.keyword is not None for arg in given) else [arg.value for arg in given]


def _field(part: cst.BaseExpression, own: str) -> str | None:
    match part:
        case cst.Attribute(value=cst.Name(value), attr=cst.Name(name)) if value == own:
            return name
    return None


def fields_of_class(work: NormalizationRound, item: Class, name: str) -> Iterator[cst.Attribute]:
    """Where the file speaks of a field of the objects of a class, or of what may be such."""
    related = {
        key for key, other in work.program.class_by_key.items() if item in other.lineage or other in item.lineage
    }
    for node in work.index.attributes:
        if node.attr.value == name and may_be_of(work.values(node.value), related):
            yield node


def changes_elsewhere(work: NormalizationRound, item: Class, made: cst.Attribute, name: str) -> bool:
    """Whether anything else in the file may set such a field, or change the container in it."""
    for node in fields_of_class(work, item, name):
        if node is made:
            continue
        parent = _use(work, node)
        if _is_set(work, node):
            return True
        if isinstance(parent, cst.Attribute) and parent.attr.value in _GROWING:
            return True
    return False


def _is_filled(work: NormalizationRound, item: Class, name: str) -> bool:
    """Whether code gives the parameters of the parts in such a field other values, or marks, by the container: it would be lost."""
    parents = work.index.parents
    for node in fields_of_class(work, item, name):
        use = parents[node]
        if isinstance(use, cst.Attribute) and isinstance(parents[use], cst.Call):
            if use.attr.value in _FILLING:
                return True
            use = parents[use]
        for around in (use, *work.index.ancestors(use)):
            if isinstance(around, (cst.For, cst.BaseComp)):
                through = around.iter if isinstance(around, cst.For) else getattr(around, "for_in", None)
                if through is not None and node in descendants(through) and _changes(work, around):
                    return True
            if isinstance(around, cst.BaseStatement):
                break
        call = parents[use] if isinstance(use, cst.Arg) else None
        if not isinstance(call, cst.Call):
            continue
        for callee in work.values.callees.get(call, ()):
            given = [key for key, value in arguments_by_parameter(callee, call, work.values) if value is node]
            if any(changes_part(work.program, work.values, callee.node.body, key) for key in given):
                return True
    return False


def _changes(work: NormalizationRound, loop: cst.For | cst.BaseComp) -> bool:
    """Whether a loop changes tensors, or gives anything away that might."""
    for node in descendants(loop.body if isinstance(loop, cst.For) else loop):
        match node:
            case cst.AssignTarget(target=cst.Attribute()) | cst.AugAssign():
                return True
            case cst.Call(func=cst.Attribute(attr=cst.Name(method)) as func):
                name = work.values.torch_name(func)
                if (name or "").startswith("torch.nn.init.") or (name is None and is_inplace_name(method)):
                    return True
        if isinstance(node, cst.Call) and work.values.callees.get(node):
            return True
    return False


def _is_made_before(work: NormalizationRound, item: Class, name: str, line: cst.CSTNode) -> bool:
    """Whether a field holds one module or parameter, which it was given before a line of `__init__` and keeps."""
    value = item.field_value(name)
    if value is None or not (value.kind is Kind.MODULE or (value.kind is Kind.TENSOR and "parameter" in value.types)):
        return False
    index = work.index
    stores = [index.statement_of(node) for node in fields_of_class(work, item, name) if _is_set(work, node)]
    body = list(index.parents[line].body)  # type: ignore[attr-defined]
    return bool(stores) and all(store in body and body.index(store) < body.index(line) for store in stores)


def _define(
    work: NormalizationRound, item: Class, maker: Function, found: Sequence[tuple[str, cst.BaseExpression]]
) -> None:
    own = str(maker.self_name)

    def build(rewrite: Rewriter) -> list[cst.BaseStatement]:
        made = []
        for name, value in found:
            text = f"@property\ndef {name}({own}):\n    return {{value}}\n"
            definition = quote_statement(text, value=work.copy(value))
            made.append(with_fields(definition, leading_lines=[cst.EmptyLine(indent=False)]))
        return made

    work.edits.after(maker.node, build)


__all__ = ["changes_elsewhere", "fields_of_class", "normalize_collected_parts"]
