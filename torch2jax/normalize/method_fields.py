"""Fields of a module that hold one of its own methods, normalized to the method: JAX's modules cannot hold themselves.

self.step = self.one_step     ->   (gone)
y = self.step(x)              ->   y = self.one_step(x)

self.act = self.a if c else self.b     ->   self.uses_a = c
y = self.act(x)                        ->   y = self.a(x) if self.uses_a else self.b(x)
"""

from __future__ import annotations

from collections.abc import Mapping

import libcst as cst

from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.program import Class, Function, dotted
from torch2jax.syntax.edits import Rewriter, always_statements
from torch2jax.syntax.quote import quote, quote_statement
from torch2jax.syntax.walk import own_nodes, with_fields
from torch2jax.values import Kind

_Lines = list[tuple[cst.SimpleStatementLine, str]]


def normalize_method_fields(work: NormalizationRound) -> None:
    """Normalize all such fields that are read where their class is known."""
    for item in work.program.classes.values():
        init = item.methods.get("__init__") if item.is_module else None
        if init is None or init.self_name is None:
            continue
        found: dict[str, _Lines] = {}
        for line in (node for node in own_nodes(init.node) if isinstance(node, cst.SimpleStatementLine)):
            if (pair := _pair(line, init.self_name)) is not None:
                found.setdefault(pair[0], []).append((line, pair[1]))
        for field, lines in found.items():
            methods = {method for _, method in lines}
            if len(methods) == 1 and item.method(field) is None and (method := item.method(lines[0][1])) is not None:
                if not method.decorators:
                    _replace(work, item, field, lines)
            elif len(methods) == 2:
                _normalize_branches(work, item, field, lines)
        _normalize_choices(work, item, init)


def _normalize_choices(work: NormalizationRound, item: Class, init: Function) -> None:
    """Keep the test where a field holds one of two methods, and ask it where the field is called."""
    body = init.node.body
    for line in body.body if isinstance(body, cst.IndentedBlock) else ():
        match line:
            case cst.SimpleStatementLine(
                body=[
                    cst.Assign(
                        targets=[
                            cst.AssignTarget(target=cst.Attribute(value=cst.Name(own), attr=cst.Name(field)) as store)
                        ],
                        value=cst.IfExp(
                            test=test,
                            body=cst.Attribute(value=cst.Name(first), attr=cst.Name(chosen)),
                            orelse=cst.Attribute(value=cst.Name(second), attr=cst.Name(other)),
                        ),
                    )
                ]
            ) if own == first == second == init.self_name:
                methods = [item.method(chosen), item.method(other)]
                if item.method(field) is None and all(method and not method.decorators for method in methods):
                    asked = quote("bool({test})", test=work.copy(test))
                    _ask(work, item, field, {line: (store, asked)}, (chosen, other))


def _normalize_branches(work: NormalizationRound, item: Class, field: str, lines: _Lines) -> None:
    """Note in each line that gives the field one of two methods which one it is, and ask that where the field is called."""
    chosen, other = dict.fromkeys(method for _, method in lines)
    methods = [item.method(chosen), item.method(other)]
    if item.method(field) is not None or not all(method and not method.decorators for method in methods):
        return
    stores = {line: (_stored(line), cst.Name(str(method == chosen))) for line, method in lines}
    _ask(work, item, field, stores, (chosen, other))


def _stored(line: cst.SimpleStatementLine) -> cst.Attribute:
    return cst.ensure_type(cst.ensure_type(line.body[0], cst.Assign).targets[0].target, cst.Attribute)


def _ask(
    work: NormalizationRound,
    item: Class,
    field: str,
    lines: Mapping[cst.SimpleStatementLine, tuple[cst.Attribute, cst.BaseExpression]],
    methods: tuple[str, str],
) -> None:
    """Keep in a field of its own whether it is the first method that the field holds, as some lines say."""
    flag, stores = f"uses_{methods[0].lstrip('_')}", {store for store, _ in lines.values()}
    named = [node for node in work.index.attributes if node.attr.value == field and node not in stores]
    reads = [node for node in named if not _is_of_another(work, item, node)]
    calls = [call for node in reads if isinstance(call := work.index.parents[node], cst.Call) and call.func is node]
    taken = any(node.attr.value == flag for node in work.index.attributes)
    if taken or len(calls) < len(reads) or not all(_reads_own(work, item, node) for node in reads):
        return
    for call in calls:
        place = cst.ensure_type(call.func, cst.Attribute).value

        def build(rewrite: Rewriter, call: cst.Call = call, place: cst.BaseExpression = place) -> cst.BaseExpression:
            first, second = (
                with_fields(
                    call, func=cst.Attribute(work.copy(place), cst.Name(name)), args=_arguments(rewrite, work, call)
                )
                for name in methods
            )
            return quote(
                f"{{first}} if {{place}}.{flag} else {{second}}", first=first, place=work.copy(place), second=second
            )

        work.edits.replace(call, build)
    for line, (store, value) in lines.items():
        made = quote_statement("{made} = {value}", made=with_fields(store, attr=cst.Name(flag)), value=value)
        work.edits.rewrite_statement(line, always_statements([made]))


def _arguments(rewrite: Rewriter, work: NormalizationRound, call: cst.Call) -> list[cst.Arg]:
    """The arguments of a call, as often as they are asked for."""
    return [with_fields(arg, value=work.copy(rewrite.expression(arg.value))) for arg in call.args]


def _pair(line: cst.SimpleStatementLine, name: str) -> tuple[str, str] | None:
    """`("step", "one_step")` of `self.step = self.one_step`."""
    match line.body:
        case [
            cst.Assign(
                targets=[cst.AssignTarget(target=cst.Attribute(value=holder, attr=field))],
                value=cst.Attribute(value=source, attr=method),
            )
        ] if dotted(holder) == dotted(source) == name and field.value != method.value:
            return field.value, method.value
    return None


def _replace(work: NormalizationRound, item: Class, field: str, lines: _Lines) -> None:
    stores = {line.body[0].targets[0].target for line, _ in lines if isinstance(line.body[0], cst.Assign)}
    named = [node for node in work.index.attributes if node.attr.value == field and node not in stores]
    reads = [node for node in named if not _is_of_another(work, item, node)]
    if any(not _reads_own(work, item, node) for node in reads):
        return
    for node in reads:
        work.edits.replace(
            node,
            lambda rewrite, node=node: with_fields(  # type: ignore[misc]
                node, value=rewrite.expression(node.value), attr=cst.Name(lines[0][1])
            ),
        )
    for line, _ in lines:
        work.edits.remove(line)


def _is_of_another(work: NormalizationRound, item: Class, node: cst.Attribute) -> bool:
    """Whether a field is one of a class that has nothing to do with this one."""
    function = work.program.function_around(node)
    owner = function.owner if function is not None else None
    if function is None or owner is None or dotted(node.value) != function.self_name:
        return False
    return owner is not item and not owner.base_classes


def _reads_own(work: NormalizationRound, item: Class, node: cst.Attribute) -> bool:
    """Whether a field of a class is read, not set, of which no subclass is in sight."""
    function, value = work.program.function_around(node), work.values(node.value)
    is_own = function is not None and function.owner is item and dotted(node.value) == function.self_name
    is_own |= value.kind is Kind.MODULE and value.types == {item.key}
    is_set = isinstance(work.index.parents[node], (cst.AssignTarget, cst.AugAssign, cst.AnnAssign, cst.Del))
    return is_own and not is_set and not any(item in other.base_classes for other in work.program.classes.values())


__all__ = ["normalize_method_fields"]
