"""Parameters that methods of their module change while it is used: what they have become is state of the module.

self.weight.data.copy_(v)    ->    self.written_weight.copy_(v)
                                   self.weight_is_written.fill_(True)
self.weight * x              ->    current_value(self.weight, self.written_weight, self.weight_is_written) * x

Where modules change in place, the parameter has the new value at once, and the gradient of the old one:

self.weight.data.mul_(c)     ->    old_weight = self.weight.clone()
                                   self.weight.data.mul_(c)
                                   self.weight.data = self.weight.detach() + (old_weight - old_weight.detach())

Such a change leaves the gradient alone: what follows has the new value, and its gradient is that of the parameter. `__init__` makes
both fields; the parameter itself is given the new value where the state comes back to code outside of modules (`take_written`).
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from torch2jax.facts.differentiated import functions_below_gradients
from torch2jax.facts.module_state import WRITTEN, runs_in_methods, runs_only_at_init, written_names
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.program import Class, Function, dotted
from torch2jax.program.statements import suite_body
from torch2jax.records import dataclass
from torch2jax.syntax.edits import always, always_statements
from torch2jax.syntax.quote import quote, quote_statement, quote_statements
from torch2jax.values import Kind

_OVERWRITING = frozenset({"copy_", "fill_", "zero_", "normal_", "uniform_"})
_NOT_VALUES = frozenset(
    {"shape", "dtype", "device", "size", "dim", "ndim", "numel", "grad", "requires_grad", "is_leaf"}
)
_CURRENT = '''
def {name}(parameter, written, is_written):
    """What a parameter has become; its gradient is that of the parameter."""
    return written.where(is_written, parameter).detach() + (parameter - parameter.detach())
'''


@dataclass(frozen=True, slots=True)
class _Write:
    """A statement that changes a parameter: `node` is the parameter in it, `place` that with its `.data`, `whole` whether nothing of
    the value before is left, and `assigned` the value that `place` is given.
    """

    node: cst.Attribute
    line: cst.SimpleStatementLine
    place: cst.BaseExpression
    whole: bool
    assigned: cst.BaseExpression | None


def normalize_written_parameters(work: NormalizationRound) -> None:
    """Normalize all such changes in methods that cannot give their module back, changed."""
    if work.effects is None or work.flows is None:
        return
    if not work.effects.threads:
        nodes = [node for node in work.effects.module_state.changes if "parameter" in work.values(node).types]
        differentiated = functions_below_gradients(work.program, work.values, work.flows) if nodes else frozenset()
        for node in nodes:
            if work.program.function_around(node) in differentiated and node not in work.settled:
                _keep_gradient(work, node)
        return
    found: dict[tuple[Class, str], list[_Write] | None] = {}
    for node in work.effects.module_state.changes:
        holder = _holder(work, node)
        if holder is not None and (WRITTEN, holder.key, node.attr.value) not in work.marks:
            write = _write(work, node)
            earlier = found.setdefault((holder, node.attr.value), [])
            found[holder, node.attr.value] = None if write is None or earlier is None else [*earlier, write]
    changed = {key: writes for key, writes in found.items() if writes}
    if not changed:
        return
    current = work.fresh("current_value")
    (definition,) = quote_statements(_CURRENT.strip().replace("{name}", current))
    tops = {work.index.top_level(holder.node) for holder, _ in changed}
    first = next(line for line in work.index.module.body if line in tops)
    work.edits.before(first, always_statements([definition]))
    for (holder, name), writes in changed.items():
        _make(work, holder, name)
        work.marks.add((WRITTEN, holder.key, name))
        for write in writes:
            _restate(work, name, write, current)
    places = {write.node for writes in changed.values() for write in writes}
    for node in work.index.attributes:
        if node not in places and any(item in changed for item in _parameters(work, node)):
            _read(work, node, current)


def _holder(work: NormalizationRound, node: cst.Attribute) -> Class | None:
    """The class that makes a parameter which a method changes that cannot give it back, or a function that such methods call."""
    method = work.program.function_around(node)
    if method is None or "parameter" not in work.values(node).types or not runs_in_methods(work.program, method):
        return None
    given = [work.program.class_by_key.get(key) for key in work.values(node.value).types]
    owners = [method.owner] if method.owner is not None and dotted(node.value) == method.self_name else given
    if len(owners) != 1 or owners[0] is None:
        return None
    holders = [item for item in owners[0].lineage if _made_in(work, item, node.attr.value) is not None]
    return holders[-1] if holders else None


def _made_in(work: NormalizationRound, item: Class, name: str) -> cst.BaseStatement | None:
    """The statement of `__init__` that makes a parameter, where it is the only one that gives the field a value."""
    assert work.effects is not None
    init, made = item.methods.get("__init__"), work.effects.module_state.made.get(item, {}).get(name, [])
    if init is None or len(made) != 1 or item.node not in work.program.classes:
        return None
    if made[0][1] is None or work.values(made[0][1]).optional:
        return None
    line = work.index.statement_of(made[0][0])
    return line if line in suite_body(init.node) and name not in item.buffers else None


def _write(work: NormalizationRound, node: cst.Attribute) -> _Write | None:
    """The change of a parameter by a statement of its own; None if it is another change."""
    line = work.index.statement_of(node)
    if not isinstance(line, cst.SimpleStatementLine) or len(line.body) != 1:
        return None
    parents, place = work.index.parents, node
    parent = parents[node]
    if isinstance(parent, cst.Attribute) and parent.attr.value == "data":
        place = parent
    part: cst.CSTNode = place
    while isinstance(parents[part], cst.Subscript) and parents[part].value is part:  # type: ignore[attr-defined]
        part = parents[part]
    match line.body[0]:
        case cst.Expr(cst.Call(func=cst.Attribute(value=changed, attr=cst.Name(method)))) if changed is part:
            return _Write(node, line, place, part is place and method in _OVERWRITING, None)
        case cst.Expr(cst.Call(args=[cst.Arg(value=first), *_])) if first is part:
            return _Write(node, line, place, part is place, None)
        case cst.Assign(targets=[cst.AssignTarget(target=target)], value=value) if target is part and part is not node:
            return _Write(node, line, place, part is place, value if part is place else None)
        case cst.AugAssign(target=target) if target is part:
            return _Write(node, line, place, False, None)
    return None


def _keep_gradient(work: NormalizationRound, node: cst.Attribute) -> None:
    """Where modules change in place: the new value has the gradient of the parameter."""
    write = _write(work, node)
    if write is None or write.line in work.program.settled:
        return
    old = work.names_at(node)(f"old_{node.attr.value}")
    kept = quote_statement("{old} = {place}.clone()", old=old, place=node.deep_clone())  # the tree before keeps its own
    given = quote_statement(
        "{place}.data = {place}.detach() + ({old} - {old}.detach())", old=old, place=node.deep_clone()
    )
    work.edits.before(write.line, always_statements([kept]))
    work.edits.after(write.line, always_statements([given]))
    work.settled |= {write.line, given}


def _make(work: NormalizationRound, holder: Class, name: str) -> None:
    """The fields that hold what the parameter has become, and whether it has."""
    line = _made_in(work, holder, name)
    assert line is not None
    owner, (new, flag) = holder.methods["__init__"].self_name, written_names(name)
    texts = [
        f"{owner}.{new} = {owner}.{name}.new_zeros({owner}.{name}.shape)",
        f"{owner}.{flag} = {owner}.{name}.new_zeros(()).bool()",
    ]
    work.edits.after(line, always_statements([quote_statement(text) for text in texts]))


def _restate(work: NormalizationRound, name: str, write: _Write, current: str) -> None:
    owner, (new, flag) = write.node.value, written_names(name)
    if not write.whole:
        kept = quote_statement(f"{{owner}}.{new}.copy_({{value}})", owner=owner, value=_current(write.node, current))
        work.edits.before(write.line, always_statements([kept]))
    work.edits.after(write.line, always_statements([quote_statement(f"{{owner}}.{flag}.fill_(True)", owner=owner)]))
    place = write.node.with_changes(attr=cst.Name(new))
    work.edits.replace(write.place, always(place))
    value = write.assigned
    if value is not None:
        work.edits.rewrite_statement(
            write.line, lambda rewrite: [quote_statement("{p}.copy_({x})", p=place, x=rewrite.expression(value))]
        )


def _parameters(work: NormalizationRound, node: cst.Attribute) -> Iterator[tuple[Class, str]]:
    """The parameters that an attribute may be, in code that runs when its module has been made."""
    if work.values(node.value).kind is not Kind.MODULE or not _runs_inside(
        work, work.program.function_around(node), set()
    ):
        return
    for key in work.values(node.value).types:
        for part in work.program.class_by_key[key].lineage if key in work.program.class_by_key else ():
            yield part, node.attr.value


def _runs_inside(work: NormalizationRound, function: Function | None, seen: set[Function]) -> bool:
    """Whether code may run within a call of a module that has been made, before its caller has the state back."""
    if function is None or function in seen or runs_only_at_init(work.program, function):
        return False
    seen.add(function)
    if function.owner is not None:
        return function.owner.is_module
    around = [function.outer, *(work.program.function_around(call) for call in function.callers)]
    return any(_runs_inside(work, item, seen) for item in around)


def _read(work: NormalizationRound, node: cst.Attribute, current: str) -> None:
    parent = work.index.parents[node]
    if isinstance(parent, cst.Attribute) and parent.attr.value in _NOT_VALUES:
        return
    work.edits.replace(node, always(_current(node, current)))


def _current(node: cst.Attribute, current: str) -> cst.BaseExpression:
    new, flag = (node.with_changes(attr=cst.Name(name)) for name in written_names(node.attr.value))
    return quote(f"{current}({{old}}, {{new}}, {{flag}})", old=node, new=new, flag=flag)


__all__ = ["normalize_written_parameters"]
