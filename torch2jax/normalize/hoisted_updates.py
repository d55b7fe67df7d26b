"""Updates of parameters in `forward`, which what calls the module makes ahead: `forward` only computes where modules are values.

def forward(self, x, y):                              def forward(self, x, y):
    q = self.encoder_q(x)                                 q = self.encoder_q(x)
    with torch.no_grad():                                 with torch.no_grad():
        self._momentum_update()               ->              k = self.encoder_k(y)
        k = self.encoder_k(y)                             ...
    ...
out = model(x, y)                                     model._momentum_update()
                                                      out = model(x, y)

The update changes parts of the module that `forward` has not used by then, and asks for nothing that `forward` has computed. All
calls of the module are statements about a variable or a field, also in other files.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import libcst as cst

from torch2jax.facts.contexts import turns_off
from torch2jax.facts.infer import all_marks
from torch2jax.normalize.changed_modules import calls_here, changes_parts
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.calls import arguments_by_parameter
from torch2jax.program.program import Class, Function, dotted, fields_named, root_name
from torch2jax.program.statements import bound_parts, statement_above
from torch2jax.records import dataclass
from torch2jax.syntax.codegen import code
from torch2jax.syntax.edits import always_statements
from torch2jax.syntax.problem import Problem
from torch2jax.syntax.quote import quote_statement
from torch2jax.syntax.walk import NOT_ALWAYS, bound_names, descendants
from torch2jax.values import Kind

HOISTED = "hoisted"  # marks (forward, method, arguments): what calls the module calls this method ahead of it
_NOT_AT_ONCE = (*NOT_ALWAYS, cst.Comparison)


@dataclass(frozen=True, slots=True)
class _Update:
    """The line of `forward` that calls `method`, what stands before it, and which parameters of `forward` it hands on."""

    line: cst.SimpleStatementLine
    method: Function
    before: Sequence[cst.CSTNode]
    given: tuple[str, ...]


def normalize_hoisted_updates(work: NormalizationRound) -> None:
    """Normalize such updates where methods of modules cannot change them in place."""
    if work.effects is None or not (work.effects.threads or work.effects.bound is not None):
        return
    for item in work.program.classes.values():
        forward = item.methods.get("forward") if item.is_module else None
        if forward is not None and isinstance(forward.node.body, cst.IndentedBlock):
            _hoist(work, item, forward)
    _write_for_others(work)


def _hoist(work: NormalizationRound, item: Class, forward: Function) -> None:
    update = next(_updates(work, item, forward), None)
    if update is None or not _commutes(work, update, forward):
        return
    calls = calls_here(work, forward)
    if not calls and not forward.seen_elsewhere:
        return
    lines = [_written(work, forward, call, update.method.name, update.given) for call in calls]
    if None in lines or any(work.index.statement_of(call) in work.edits.nodes for call in calls):
        return
    work.edits.remove(update.line)
    for call, line in zip(calls, lines, strict=True):
        assert line is not None
        work.edits.before(work.index.statement_of(call), always_statements([quote_statement(line)]))
    work.marks.add((HOISTED, forward.key, update.method.name, *update.given))


def _write_for_others(work: NormalizationRound) -> None:
    """Call such methods in front of calls of modules whose classes other files have."""
    hoisted = [mark for mark in all_marks(work.program) if mark[0] == HOISTED]
    if not hoisted:
        return
    for call, callees in work.values.callees.items():
        if call not in work.index.parents or not isinstance(call, cst.Call):
            continue
        for callee in callees:
            for _, key, name, *given in hoisted:
                if callee.key == key and callee.node not in work.program.functions:
                    _write_ahead(work, callee, call, name, tuple(given))


def _write_ahead(
    work: NormalizationRound, forward: Function, call: cst.Call, name: str, given: tuple[str, ...]
) -> None:
    text = _written(work, forward, call, name, given)
    if text is None:
        place = dotted(call.func) or code(call.func)
        work.problems.append(Problem(call, "T2J601", {"name": place, "module": name}))
        return
    line = work.index.statement_of(call)
    above = statement_above(work.index, line)
    is_there = above is not None and code(above).strip() == text
    if not is_there:
        work.edits.before(line, always_statements([quote_statement(text)]))


# in `forward`


def _updates(work: NormalizationRound, item: Class, forward: Function) -> Iterator[_Update]:
    """The lines of `forward` that only call a method which changes parts of the module."""
    before: list[cst.CSTNode] = []
    for line in forward.node.body.body:
        lines = [line]
        if isinstance(line, cst.With) and all(turns_off(part.item, work.values) for part in line.items):
            lines = [*line.body.body]
        for inner in lines:
            found = _update(work, item, forward, inner, len(lines) == 1 and inner is not line)
            if found is not None:
                yield _Update(inner, found[0], tuple(before), found[1])  # type: ignore[arg-type]
            before.append(inner)


def _update(
    work: NormalizationRound, item: Class, forward: Function, line: cst.CSTNode, is_alone: bool
) -> tuple[Function, tuple[str, ...]] | None:
    match line:
        case cst.SimpleStatementLine(
            body=[cst.Expr(value=cst.Call(func=cst.Attribute(value=cst.Name(own), attr=cst.Name(name)), args=args))]
        ) if own == forward.self_name and not is_alone:
            method = item.method(name)
            given = [arg.value.value for arg in args if isinstance(arg.value, cst.Name) and arg.keyword is None]
            is_known = len(given) == len(args) and set(given) <= set(forward.parameter_names[1:])
            if method is not None and method.owner is item and is_known and changes_parts(work, method):
                return method, tuple(given)
    return None


def _commutes(work: NormalizationRound, update: _Update, forward: Function) -> bool:
    """Whether the update may as well be made before `forward` begins."""
    own, changed = str(forward.self_name), _changed_fields(work, update.method)
    named = fields_named(update.method.node, str(update.method.self_name))
    for line in update.before:
        for node in (line, *descendants(line)):
            match node:
                case cst.Return() | cst.Raise() | cst.Yield() | cst.Continue() | cst.Break():
                    return False
                case cst.AssignTarget() | cst.AugAssign() | cst.AnnAssign():
                    for part in bound_parts(node.target):
                        fields = fields_named(part, own)
                        if (fields and not fields.isdisjoint(named)) or not bound_names(part).isdisjoint(update.given):
                            return False
                case cst.Call(func=func) if own in (dotted(func) or "").split(".")[:1]:
                    if work.values(func).kind is not Kind.MODULE or dotted(func) == own:
                        return False
                case cst.Name(name) if name == own and not isinstance(work.index.parents[node], cst.Attribute):
                    return False
        if not fields_named(line, own).isdisjoint(changed):
            return False
    return True


def _changed_fields(work: NormalizationRound, method: Function) -> frozenset[str]:
    """The fields whose parts a method changes; of loops over the parameters of two parts those of which it says so."""
    own, named = str(method.self_name), fields_named(method.node, str(method.self_name))
    match method.node.body.body:
        case [
            cst.For(
                target=cst.Tuple(elements=[cst.Element(cst.Name(one)), cst.Element(cst.Name(other))]),
                iter=cst.Call(func=cst.Name("zip"), args=[first, second]),
                body=body,
            )
        ]:
            kept = [
                fields_named(item.value, own)
                for name, item in ((one, first), (other, second))
                if not _is_changed(body, name)
            ]
            return named.difference(*kept)
    return named


def _is_changed(body: cst.CSTNode, name: str) -> bool:
    """Whether a line may change the tensor that a variable of a loop holds: it sets it, or calls one of its methods in place."""
    for node in descendants(body):
        match node:
            case cst.AssignTarget(target=target) | cst.AugAssign(target=target):
                if root_name(target) == name:
                    return True
            case cst.Call(func=cst.Attribute(value=place, attr=cst.Name(method))):
                if method.endswith("_") and root_name(place) == name:
                    return True
            case cst.Call(args=args, func=cst.Name()):
                if any(dotted(item.value) in (name, f"{name}.data") for item in args):
                    return True
    return False


# where the module is called


def _written(
    work: NormalizationRound, forward: Function, call: cst.Call, name: str, given: tuple[str, ...]
) -> str | None:
    """The line that calls the method ahead of a call of the module; None where it cannot stand there."""
    place, line = dotted(call.func), work.index.statement_of(call)
    around = work.program.function_around(call)
    if place is None or not isinstance(line, cst.SimpleStatementLine) or len(line.body) != 1:
        return None
    if around is not None and around.owner is not None and around.owner.is_module:
        return None
    for node in work.index.ancestors(call):
        if isinstance(node, _NOT_AT_ONCE):
            return None
        if node is line:
            break
    others = [node for node in descendants(line) if isinstance(node, cst.Call) and node is not call]
    if any(work.values(node.func).kind is Kind.MODULE and not work.values(node.func).is_loss_module for node in others):
        return None
    places = [
        node for node in descendants(line) if isinstance(node, (cst.Name, cst.Attribute)) and dotted(node) == place
    ]
    if any(node is not call.func for node in places):
        return None
    passed = dict(arguments_by_parameter(forward, call, work.values))
    if any(item.star for item in call.args) or not set(given) <= passed.keys():
        return None
    arguments = [passed[item] for item in given]
    if any(dotted(item) is None and not isinstance(item, cst.BaseNumber) for item in arguments):
        return None
    return f"{place}.{name}({', '.join(map(code, arguments))})"
