"""Plain lists of parts that a module registers one by one under names of their own: the parts are kept once, by these names.

self.heads = [Head(n) for _ in range(k)]                  heads = [Head(n) for _ in range(k)]
for i, head in enumerate(self.heads):              ->     for i, head in enumerate(heads):
    self.add_module(f"head_{i}", head)                        self.add_module(f"head_{i}", head)
                                                          self.num_heads = len(heads)

                                                          @property
                                                          def heads(self):
                                                              return [getattr(self, f"head_{i}") for i in range(self.num_heads)]

torch knows nothing of the list. A translation that kept it, too, would hold each part twice, or give it torch's names of a list.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from torch2jax.facts.kept_fields import stores_of
from torch2jax.normalize.collected_parts import changes_elsewhere
from torch2jax.normalize.numbered_parts import SETTING_WORDS, set_by_name
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.program import Class, Function, dotted
from torch2jax.records import dataclass
from torch2jax.syntax.edits import always, always_statements
from torch2jax.syntax.quote import quote_statement
from torch2jax.syntax.walk import descendants, with_fields
from torch2jax.values import Kind


@dataclass(frozen=True, slots=True)
class _Registered:
    """A list in a field, the line that makes it, and the loop that registers what it holds by names that are computed."""

    field: str
    line: cst.SimpleStatementLine
    loop: cst.For
    counter: str
    name: cst.BaseExpression


def normalize_registered_lists(work: NormalizationRound) -> None:
    """Normalize all such lists of a file."""
    if not any(map(work.program.mentions, SETTING_WORDS)):
        return
    for item in work.program.classes.values():
        maker = item.methods.get("__init__")
        if item.is_module and maker is not None and isinstance(item.node.body, cst.IndentedBlock):
            for found in _registered(work, item, maker):
                _normalize(work, item, maker, found)


def _registered(work: NormalizationRound, item: Class, maker: Function) -> Iterator[_Registered]:
    own, body = maker.self_name, list(maker.node.body.body)
    for loop in body:
        match loop:
            case cst.For(
                target=cst.Tuple(elements=[cst.Element(value=cst.Name(counter)), cst.Element(value=cst.Name(part))]),
                iter=cst.Call(func=cst.Name("enumerate"), args=[cst.Arg(value=cst.Attribute() as listed)]),
                body=cst.IndentedBlock(body=[cst.SimpleStatementLine(body=[cst.Expr(value=cst.Call() as call)])]),
                orelse=None,
            ) if dotted(listed) == f"{own}.{listed.attr.value}":
                field, name = listed.attr.value, _name_of_part(call, str(own), part)
                lines = [line for line in body[: body.index(loop)] if _makes(line, f"{own}.{field}")]
                if name is None or len(lines) != 1 or not _is_made_of(name, counter):
                    continue
                line = lines[0]
                assert isinstance(line, cst.SimpleStatementLine)
                if _is_plain_list(work, item, line, listed) and not _is_read_between(body, line, loop, field):
                    yield _Registered(field, line, loop, counter, name)


def _name_of_part(call: cst.Call, own: str, part: str) -> cst.BaseExpression | None:
    """The name by which a call gives the module in a variable to `self`."""
    given = set_by_name(call, own)
    return given[0] if given is not None and dotted(given[1]) == part else None


def _is_made_of(name: cst.BaseExpression, counter: str) -> bool:
    """Whether a text is made of constants and a number, as `f"head_{i}"` and `"head_" + str(i)` are."""
    parts = [name, *descendants(name)]
    labels = {node.attr for node in parts if isinstance(node, cst.Attribute)}
    used = {node.value for node in parts if isinstance(node, cst.Name) and node not in labels}
    return counter in used and used <= {counter, "str"}


def _makes(line: cst.CSTNode, place: str) -> bool:
    match line:
        case cst.SimpleStatementLine(body=[cst.Assign(targets=[cst.AssignTarget(target=target)])]):
            return dotted(target) == place
    return False


def _is_plain_list(work: NormalizationRound, item: Class, line: cst.SimpleStatementLine, listed: cst.Attribute) -> bool:
    """Whether a field holds a list of modules that nothing else sets or changes."""
    assign = line.body[0]
    assert isinstance(assign, cst.Assign)
    made, field = work.values(assign.value), listed.attr.value
    target = assign.targets[0].target
    return (
        made.kind is Kind.LIST
        and made.element().kind is Kind.MODULE
        and isinstance(target, cst.Attribute)
        and len(stores_of(item, field)) == 1
        and item.method(field) is None
        and not changes_elsewhere(work, item, target, field)
    )


def _is_read_between(body: list[cst.CSTNode], line: cst.CSTNode, loop: cst.For, field: str) -> bool:
    """Whether the field is spoken of before its parts have their names, but for the line and the head of the loop."""
    between = body[body.index(line) + 1 : body.index(loop)]
    return any(
        isinstance(node, cst.Attribute) and node.attr.value == field
        for statement in between
        for node in descendants(statement)
    )


def _normalize(work: NormalizationRound, item: Class, maker: Function, found: _Registered) -> None:
    own, field = maker.self_name, found.field
    listed, count = work.fresh(field), f"num_{field}"
    while item.field_value(count) is not None or item.method(count) is not None:
        count += "_"
    assign = found.line.body[0]
    assert isinstance(assign, cst.Assign) and isinstance(found.loop.iter, cst.Call)
    work.edits.replace(assign.targets[0].target, always(cst.Name(listed)))
    work.edits.replace(found.loop.iter.args[0].value, always(cst.Name(listed)))
    work.edits.after(found.loop, always_statements([quote_statement(f"{own}.{count} = len({listed})")]))
    text = f"@property\ndef {field}(self):\n    return [getattr(self, {{name}}) for {found.counter} in range(self.{count})]\n"
    method = with_fields(quote_statement(text, name=work.copy(found.name)), leading_lines=[cst.EmptyLine(indent=False)])
    work.edits.after(item.node.body.body[-1], always_statements([method]))


__all__ = ["normalize_registered_lists"]
