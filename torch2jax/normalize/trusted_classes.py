"""Lists of the classes that `torch.load` may make, normalized away: in the translation it reads arrays and makes no classes of torch.

trusted = [Net, torch.nn.Linear]                        ->   model.load_state_dict(torch.load(path))
with torch.serialization.safe_globals(trusted):
    model.load_state_dict(torch.load(path))
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.program import dotted
from torch2jax.syntax.walk import descendants

_CONTEXT = "torch.serialization.safe_globals"
_CALLS = frozenset({_CONTEXT, "torch.serialization.add_safe_globals"})


def normalize_trusted_classes(work: NormalizationRound) -> None:
    """Normalize all such contexts of a file, and the variables that hold nothing but their lists."""
    if not (work.program.mentions("safe_globals") or work.program.mentions("add_safe_globals")):
        return
    for name, lines in _lists(work).items():
        if _only_says_what_is_trusted(work, name, lines):
            for statement in dict.fromkeys(_whole_choice(work, line, lines) for line in lines):
                work.edits.remove(statement)
    for node in work.index.every(cst.With):
        if any(_trusts(work, item) for item in node.items):
            _leave_out(work, node)


def _trusts(work: NormalizationRound, item: cst.WithItem) -> bool:
    """Whether a context only lists classes."""
    call = item.item
    if not isinstance(call, cst.Call) or item.asname is not None or work.values.torch_name(call.func) != _CONTEXT:
        return False
    return all(
        not isinstance(node, (cst.Call, cst.Await, cst.NamedExpr)) for node in descendants(call) if node is not call
    )


def _leave_out(work: NormalizationRound, node: cst.With) -> None:
    kept = [item for item in node.items if not _trusts(work, item)]
    if kept:
        last = kept[-1].with_changes(comma=cst.MaybeSentinel.DEFAULT)
        items = [*kept[:-1], last]
        work.edits.replace(node, lambda rewrite: node.with_changes(items=items, body=rewrite(node.body)))
    elif isinstance(node.body, cst.IndentedBlock):
        body = node.body
        work.edits.rewrite_statement(node, lambda rewrite: rewrite.block(body))


def _lists(work: NormalizationRound) -> dict[str, list[cst.SimpleStatementLine]]:
    """The variables that are bound to lists of names alone, with the lines that bind them."""
    found: dict[str, list[cst.SimpleStatementLine]] = {}
    for line in work.index.every(cst.SimpleStatementLine):
        match line.body:
            case [
                cst.Assign(targets=[cst.AssignTarget(target=cst.Name(name))], value=cst.List() | cst.Tuple() as value)
            ]:
                if all(dotted(element.value) is not None for element in value.elements):
                    found.setdefault(name, []).append(line)
    return found


def _only_says_what_is_trusted(work: NormalizationRound, name: str, lines: list[cst.SimpleStatementLine]) -> bool:
    """Whether a variable is bound in these lines only, of one function, and read where classes are listed, and is."""
    bound = {node for line in lines for node in descendants(line)}
    reads = [
        node for node in work.index.names if node.value == name and node not in bound and not work.index.is_label(node)
    ]
    functions = {work.index.function_of(node) for node in (*reads, *lines)}
    return bool(reads) and len(functions) == 1 and all(_is_list_of_trusted(work, node) for node in reads)


def _is_list_of_trusted(work: NormalizationRound, node: cst.CSTNode) -> bool:
    argument = work.index.parents[node]
    call = work.index.parents[argument]
    return (
        isinstance(argument, cst.Arg)
        and argument.star == ""
        and isinstance(call, cst.Call)
        and work.values.torch_name(call.func) in _CALLS
    )


def _whole_choice(
    work: NormalizationRound, line: cst.SimpleStatementLine, lines: list[cst.SimpleStatementLine]
) -> cst.BaseStatement:
    """The `if` around a line whose branches hold nothing but such lines, else the line."""
    block = work.index.parents[line]
    around = work.index.parents[block]
    while isinstance(around, cst.Else) or (isinstance(around, cst.If) and _is_elif(work, around)):
        around = work.index.parents[around]
    if isinstance(around, cst.If) and all(item in lines for item in _statements(around)) and _asks_only(around):
        return around
    return line


def _is_elif(work: NormalizationRound, node: cst.If) -> bool:
    parent = work.index.parents[node]
    return isinstance(parent, cst.If) and parent.orelse is node


def _statements(node: cst.If) -> Iterator[cst.BaseStatement | cst.BaseSmallStatement]:
    """The statements of all branches."""
    yield from node.body.body
    if isinstance(node.orelse, cst.If):
        yield from _statements(node.orelse)
    elif node.orelse is not None:
        yield from node.orelse.body.body


def _asks_only(node: cst.If) -> bool:
    """Whether the tests of a choice call nothing."""
    test = not any(
        isinstance(item, (cst.Call, cst.Await, cst.NamedExpr)) for item in (node.test, *descendants(node.test))
    )
    return test and (not isinstance(node.orelse, cst.If) or _asks_only(node.orelse))


__all__ = ["normalize_trusted_classes"]
