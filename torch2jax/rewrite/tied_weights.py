"""Tied weights: of two places that are one parameter, the later one is dropped after `__init__`, and put back where it is used.

self.head.weight = self.wte.weight    ->    self.head = eqx.tree_at(lambda m: m.weight, self.head, None)
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from textwrap import indent

import libcst as cst

from torch2jax.facts.module_state import init_methods
from torch2jax.ops.schema import is_inplace_name
from torch2jax.program.program import Class, Function, dotted
from torch2jax.records import dataclass
from torch2jax.rewrite.unit import Unit
from torch2jax.syntax.codegen import code
from torch2jax.syntax.edits import always, always_statements
from torch2jax.syntax.quote import names_in, quote_statement, quote_statements
from torch2jax.syntax.walk import bound_names, descendants, own_nodes
from torch2jax.values import Kind

_CONTAINERS = (Kind.LIST, Kind.DICT)
_WALKS = frozenset({"apply", "modules", "named_modules", "children", "named_children"})

_FILLS = frozenset("copy_ fill_ normal_ uniform_ zero_ log_normal_ cauchy_ exponential_ geometric_ random_".split())
"""Methods that give every entry of a tensor a new value."""

_Place = tuple[str, tuple[str, ...]]
"""A field of `self`, and the steps from there."""


@dataclass(frozen=True, slots=True)
class _Tie:
    """A weight that two layers share by a line of `__init__`: the one at `dropped` is dropped behind it for `kept`. A `choice`
    decides whether they do; code of `__init__` behind the line may look at both if it `is_used`, and the dropped one `gives` its
    values where it is filled last.
    """

    line: cst.SimpleStatementLine
    left: _Place
    right: cst.BaseExpression
    dropped: _Place
    kept: _Place
    choice: cst.CSTNode | None = None
    is_used: bool = False
    gives: bool = False  # what `__init__` fills last is the one that is dropped

    @property
    def field(self) -> str:
        return self.dropped[0]

    @property
    def path(self) -> str:
        return "".join(self.dropped[1])


def rewrite_ties(unit: Unit, item: Class, init: Function, at_init: set[Function]) -> None:
    """Drop what is tied in `__init__`, and put it back in the methods that use it."""
    ties = find_ties(unit, item)
    for tie in ties:
        _tie(unit, init, tie)
    for method in item.methods.values():
        if (method not in at_init and not method.is_static) or method.name == "forward":
            _restore(unit, method, ties)
    _refuse_outer_uses(unit, item, ties)
    program = unit.facts.program
    named = [(_torch_name(_spell(tie.dropped)), _torch_name(_spell(tie.kept))) for tie in ties]
    listed = ", ".join(f'"{left}": "{right}"' for left, right in named if "-" not in left + right)
    if listed and (program.mentions("state_dict") or "state_dict" in program.read_elsewhere):
        names = f"tied_weights = {{{listed}}}  # state dicts have both\n"
        unit.edits.prologue(item.node.body, lambda rewrite: quote_statements(names))


def tied_in_loop(unit: Unit, loop: cst.For, method: Function) -> str | None:
    """Which weights may be one by the time that a loop of `__init__` goes over all parameters, as an argument: the field, the
    way to the weight from there, and to the one that comes first.
    """
    item, index = method.owner, unit.facts.program.index
    assert item is not None
    items = [
        f'("{tie.field}", lambda m: m{tie.path}, lambda m: m{_spell(tie.kept).removeprefix("self")})'
        for tie in (find_ties(unit, item) if "__init__" in item.methods else ())
        if tie.is_used and (method.name != "__init__" or index.order[loop] > index.order[tie.line])
    ]
    return f"[{', '.join(items)}]" if items else None


def find_ties(unit: Unit, item: Class) -> list[_Tie]:
    """All weights that lines of `__init__` make one with another one, the first of them all."""
    init, at_init, ties = item.methods["__init__"], init_methods(item), list[_Tie]()
    for line in sorted(own_nodes(init.node), key=unit.facts.program.index.order.__getitem__):
        match line:
            case cst.SimpleStatementLine(body=[cst.Assign(targets=[cst.AssignTarget(target=left)], value=right)]):
                ties = _with_tie(unit, item, ties, line, left, right)
    used = [replace(tie, is_used=_is_used_at_init(unit, tie, at_init)) for tie in ties]
    return [replace(tie, gives=tie.is_used and _is_filled_last(unit, tie, at_init)) for tie in used]


def _with_tie(
    unit: Unit,
    item: Class,
    ties: list[_Tie],
    line: cst.SimpleStatementLine,
    left: cst.BaseExpression,
    right: cst.BaseExpression,
) -> list[_Tie]:
    """Ties, and that of one more line, by which all places of a weight are those of the first one."""
    one, other = _place(unit, left), _place(unit, right)
    if one is None or other is None or not one[1] or not _may_be_shared(unit, left, right):
        return ties
    choice = _choice_of(unit, line, item.methods["__init__"])
    first = next((tie.kept for tie in ties if tie.dropped == other), other)
    together = [tie for tie in ties if tie.kept == first]
    is_apart = any(tie.choice is not choice for tie in together)
    if any(one in (tie.dropped, tie.kept) for tie in ties) or (is_apart and (first != other or not first[1])):
        unit.problem(line, "T2J604", name=_spell(one), other=_spell(other))
        return ties
    if not first[1] or not _comes_first(item, one, first):
        return [*ties, _Tie(line, one, right, one, first, choice)]
    moved = [replace(tie, kept=one) if tie in together and not is_apart else tie for tie in ties]
    return [*moved, _Tie(line, one, right, first, one, choice)]


def _comes_first(item: Class, one: _Place, other: _Place) -> bool:
    """Whether torch lists a weight before another one: by the order of fields, and of what is in a list."""
    fields = list(dict.fromkeys(name for part in reversed(item.lineage) for name in part.fields))
    if one[0] != other[0]:
        return one[0] in fields and other[0] in fields and fields.index(one[0]) < fields.index(other[0])
    step, twin = next((pair for pair in zip(one[1], other[1], strict=False) if pair[0] != pair[1]), ("", ""))
    numbers = [re.fullmatch(r"\[(\d+)\]", text) for text in (step, twin)]
    return all(numbers) and int(numbers[0][1]) < int(numbers[1][1])  # type: ignore[index]


def _spell(place: _Place) -> str:
    return f"self.{place[0]}{''.join(place[1])}"


def _torch_name(place: str) -> str:
    """`parts.wte.weight` for `self.parts["wte"].weight`."""
    return re.sub(r"""\[["']?(.*?)["']?\]""", r".\1", place).removeprefix("self.")


def _may_be_shared(unit: Unit, left: cst.BaseExpression, right: cst.BaseExpression) -> bool:
    """Whether what is assigned may be a weight or a layer, and no number that a list or a configuration keeps."""
    given = unit.facts.values(right).kind
    if given is not Kind.UNKNOWN:
        return given in (Kind.TENSOR, Kind.MODULE)
    return not isinstance(left, (cst.Attribute, cst.Subscript)) or unit.facts.values(left.value).kind not in _CONTAINERS


def _place(unit: Unit, node: cst.BaseExpression) -> _Place | None:
    """The field of `self`, and the steps from there, of `self.parts["wte"].weight`."""
    steps: list[str] = []
    while isinstance(node, (cst.Attribute, cst.Subscript)):
        if isinstance(node, cst.Attribute):
            if isinstance(node.value, cst.Name):
                return (node.attr.value, tuple(reversed(steps))) if node.value.value == "self" else None
            steps.append(f".{node.attr.value}")
        else:
            key = node.slice[0].slice
            is_fixed = isinstance(key, cst.Index) and isinstance(unit.facts.values(key.value).const, (int, str))
            if len(node.slice) != 1 or not isinstance(key, cst.Index) or not is_fixed:
                return None
            steps.append(f"[{code(key.value)}]")
        node = node.value
    return None


def _choice_of(unit: Unit, line: cst.CSTNode, init: Function) -> cst.CSTNode | None:
    """The block under a condition, of which is not known what it gives, that a line of `__init__` stands in."""
    within: cst.CSTNode = line
    for node in unit.facts.program.index.ancestors(line):
        if node is init.node:
            return None
        given = unit.facts.values(node.test).const if isinstance(node, cst.If) else None
        if isinstance(node, cst.BaseCompoundStatement) and not isinstance(given, bool):
            return within
        within = node
    return None


def _is_used_at_init(unit: Unit, tie: _Tie, at_init: set[Function]) -> bool:
    """Whether what runs in `__init__` behind the line of a tie may look at the layer whose weight is dropped. Loops over
    parameters find one of the two, as in torch, if it is dropped before.
    """
    index, line = unit.facts.program.index, tie.line
    order = index.order
    for method in at_init:
        for node in own_nodes(method.node):
            if method.name == "__init__" and (order[node] < order[line] or line in index.ancestors(node)):
                continue
            match node:
                case cst.Attribute(value=cst.Name("self"), attr=cst.Name(name)) if name == tie.field:
                    return True
                case cst.Attribute(attr=cst.Name(name)) if name in _WALKS:
                    return True
                case cst.Name("self") if not isinstance(index.parents[node], cst.Attribute):
                    return True
    return False


def _is_filled_last(unit: Unit, tie: _Tie, at_init: set[Function]) -> bool:
    """Whether what runs in `__init__` behind the line of a tie fills the weight under the name that is dropped, and under the
    other one not later. It is told where the values are those of both: one name is filled in part, or who is last is not known.
    """
    index, fills = unit.facts.program.index, list[tuple[Function, cst.CSTNode, _Place, bool]]()
    for method in sorted(at_init, key=lambda method: index.order[method.node]):
        for node in sorted(own_nodes(method.node), key=index.order.__getitem__):
            place = _place(unit, node) if isinstance(node, (cst.Attribute, cst.Subscript)) else None
            if place is None or place not in (tie.dropped, tie.kept):
                continue
            is_behind = method.name != "__init__" or index.order[node] > index.order[tie.line]
            around = [item for item in index.ancestors(node) if index.order[item] > index.order[method.node]]
            how = _how_filled(unit, node) if is_behind and tie.line not in around else None
            tests = [item.test for item in around if isinstance(item, cst.If)]
            if how is None or any(_asks_for_both(unit, test, tie) for test in tests):
                continue  # `if self.head.weight is not self.wte.weight:`, where the two are not tied
            is_sure = all(_is_always_run(unit, tie, item, node) for item in around)
            fills.append((method, node, place, how and is_sure))
    if all(filled == tie.kept for _, _, filled, _ in fills):
        return False
    _, last, filled_last, is_whole = fills[-1]
    if not is_whole or len({method for method, *_ in fills}) > 1:
        unit.problem(last, "T2J604", name=_spell(tie.dropped), other=_spell(tie.kept))
    return filled_last == tie.dropped


def _is_always_run(unit: Unit, tie: _Tie, around: cst.CSTNode, node: cst.CSTNode) -> bool:
    """Whether what stands in a statement is run wherever the weights are tied: it is no choice, or one that was taken there, too."""
    if not isinstance(around, cst.If):
        return not isinstance(around, (cst.For, cst.While, cst.Try))
    if not _is_within(unit, node, around.body):
        return False
    init, index = unit.facts.program.function_around(tie.line), unit.facts.program.index
    assert init is not None
    taken = [item for item in index.ancestors(tie.line) if isinstance(item, cst.If)]
    tests = {_test_text(init, item.test) for item in taken if _is_within(unit, tie.line, item.body)}
    return unit.facts.values(around.test).const is True or _test_text(init, around.test) in tests - {None}


def _is_within(unit: Unit, node: cst.CSTNode, suite: cst.CSTNode) -> bool:
    return any(item is suite for item in unit.facts.program.index.ancestors(node))


def _test_text(init: Function, test: cst.BaseExpression) -> str | None:
    """A condition in terms of the arguments of `__init__`, as far as fields keep these; None if it asks for something else."""
    text = code(test)
    for place in sorted({dotted(node) for node in descendants(test, cst.Attribute)} - {None}, key=str):
        given = _argument_kept(init, str(place))
        if given is None:
            return None
        text = re.sub(rf"\b{re.escape(str(place))}\b", given, text)
    asked = cst.parse_expression(text)
    nodes = [asked, *descendants(asked)]
    bound = {
        name for node in own_nodes(init.node) if isinstance(node, cst.AssignTarget) for name in bound_names(node.target)
    }
    is_plain = not any(isinstance(node, (cst.Call, cst.Attribute)) for node in nodes)
    names = {node.value for node in nodes if isinstance(node, cst.Name)}
    return text if is_plain and names <= set(init.parameter_names) - bound else None


def _argument_kept(init: Function, place: str) -> str | None:
    """The argument of `__init__` that a field keeps, whatever way it goes."""
    assert init.owner is not None
    found = {
        dotted(node.value) if method is init else None
        for method in init.owner.methods.values()
        for node in own_nodes(method.node)
        if isinstance(node, cst.Assign) and any(dotted(item.target) == place for item in node.targets)
    }
    given = found.pop() if len(found) == 1 else None
    bound = [
        node for node in own_nodes(init.node) if isinstance(node, cst.AssignTarget) and dotted(node.target) == given
    ]
    return given if given in init.parameter_names and not bound else None


def _asks_for_both(unit: Unit, test: cst.BaseExpression, tie: _Tie) -> bool:
    """Whether a condition looks at a weight under both names."""
    nodes = [node for node in (test, *descendants(test)) if isinstance(node, (cst.Attribute, cst.Subscript))]
    return {tie.dropped, tie.kept} <= {_place(unit, node) for node in nodes}


def _how_filled(unit: Unit, node: cst.CSTNode) -> bool | None:
    """Whether a weight is filled, `nn.init.zeros_(weight)`, `weight.data.normal_()`: all of it, or in part; None if it is not."""
    parents = unit.facts.program.index.parents
    around = parents[node]
    while isinstance(around, cst.Attribute) and around.attr.value == "data":
        node, around = around, parents[around]
    match around, parents.get(around):
        case cst.Arg(), cst.Call(func=function, args=[first, *_]) if first is around:
            name = unit.facts.values.torch_name(function) or ""
            return True if name.startswith("torch.nn.init.") and is_inplace_name(name) else None
        case cst.Attribute(attr=cst.Name(name)), cst.Call() if is_inplace_name(name) and name != "requires_grad_":
            return name in _FILLS
        case cst.AssignTarget(), _:
            return True
        case (cst.AugAssign(), _) | (cst.Subscript(), cst.AssignTarget()):
            return False
    return None


def _refuse_outer_uses(unit: Unit, item: Class, ties: Sequence[_Tie]) -> None:
    """A layer whose weight is dropped after `__init__` works in the methods that put it back, and nowhere else."""
    by_field = {tie.field: tie for tie in ties}
    if not ties:
        return
    for attribute in unit.facts.program.index.attributes:
        if attribute.attr.value not in by_field:
            continue
        function = unit.facts.program.function_around(attribute)
        value = unit.facts.values(attribute.value)
        if value.kind is Kind.MODULE and item.key in value.types and (function is None or function.owner is not item):
            tie = by_field[attribute.attr.value]
            unit.problem(attribute, "T2J604", name=_spell(tie.dropped), other=_spell(tie.kept))


def _tie(unit: Unit, init: Function, tie: _Tie) -> None:
    body, line = init.node.body, tie.line
    assert isinstance(body, cst.IndentedBlock)
    last = body.body[-1]
    replaced = _with_value(unit.facts.target.replaced, tie.path, f"self.{tie.field}")
    drops = [f"self.{tie.field} = {replaced.replace('{value}', 'None')}  # tied weights: see `__call__`"]
    if tie.gives:
        kept = _with_value(unit.facts.target.replaced, "".join(tie.kept[1]), f"self.{tie.kept[0]}")
        drops.insert(0, f"self.{tie.kept[0]} = {kept.replace('{value}', _spell(tie.dropped))}")
    drop = "".join(f"{text}\n" for text in drops)
    if not tie.is_used and tie.dropped == tie.left:
        unit.edits.rewrite_statement(line, lambda rewrite: quote_statements(drop))
        return
    given = _with_value(unit.facts.target.replaced, "".join(tie.left[1]), f"self.{tie.left[0]}")
    copy = quote_statement(f"self.{tie.left[0]} = {given.replace('{value}', code(tie.right))}")
    copy = copy.with_changes(trailing_whitespace=line.trailing_whitespace)
    if tie.is_used and tie.choice is not None:
        chosen = unit.fresh(f"{tie.field}_is_tied")
        unit.edits.prologue(body, always_statements([quote_statement(f"{chosen} = False")]))
        unit.edits.rewrite_statement(line, lambda rewrite: [copy, quote_statement(f"{chosen} = True")])
        unit.edits.after(last, lambda rewrite: quote_statements(f"if {chosen}:\n{indent(drop, '    ')}"))
    elif tie.is_used:
        unit.edits.rewrite_statement(line, lambda rewrite: [copy])
        unit.edits.after(last, lambda rewrite: quote_statements(drop))
    else:
        unit.edits.rewrite_statement(line, lambda rewrite: [copy, *quote_statements(drop)])


def _with_value(template: str | None, path: str, model: str) -> str:
    """The target's template for a new value at a path; `{value}` stays a hole."""
    assert template is not None
    return template.replace("{where}", f"lambda m: m{path}").replace("{model}", model)


def _restore(unit: Unit, method: Function, ties: Sequence[_Tie]) -> None:
    body = method.node.body
    if not isinstance(body, cst.IndentedBlock):
        return
    for field in dict.fromkeys(tie.field for tie in ties):
        uses = [
            node
            for node in own_nodes(method.node)
            if isinstance(node, cst.Attribute) and dotted(node) == f"self.{field}"
        ]
        if not uses:
            continue
        name = field if field not in names_in(method.node) - {field} else unit.fresh(field)
        lines = list(_restoring(unit, name, [tie for tie in ties if tie.field == field], ties))
        unit.edits.prologue(body, always_statements(lines))
        for node in uses:
            unit.edits.replace(node, always(cst.Name(name)))


def _restoring(unit: Unit, name: str, ties: Sequence[_Tie], every: Sequence[_Tie]) -> Iterator[cst.BaseStatement]:
    """What binds a variable to a layer with the weights that were dropped."""
    layer = f"self.{ties[0].field}"
    for tie in ties:
        restored = _with_value(unit.facts.target.restored, tie.path, layer)
        value = _spell(tie.kept)
        for other in every:
            if other.dropped == tie.kept:  # by another choice
                value = f"({_spell(other.kept)} if {value} is None else {value})"
        text = f"{name} = {restored.replace('{value}', value)}"
        if tie.choice is not None:
            there = "" if _is_always_made(unit, tie) else f"{layer} is not None and "
            text += f" if {there}{_spell(tie.dropped)} is None else {layer}"
        yield quote_statement(text)
        layer = name


def _is_always_made(unit: Unit, tie: _Tie) -> bool:
    """Whether `__init__` gives the field of a layer a value whatever way it goes: else it is None on the others."""
    init, index = unit.facts.program.function_around(tie.line), unit.facts.program.index
    assert init is not None
    made = [
        index.statement_of(node)
        for node in own_nodes(init.node)
        if isinstance(node, cst.Assign)
        and any(dotted(item.target) == f"self.{tie.field}" for item in node.targets)
        and dotted(node.value) != "None"
    ]
    return not made or any(line is not None and index.parents[line] is init.node.body for line in made)


__all__ = ["find_ties", "rewrite_ties", "tied_in_loop"]
