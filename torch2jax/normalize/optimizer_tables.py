"""Functions that the step of an optimizer looks up in a table by an option of the group: a decision between calls by their names.

schedule = SCHEDULES[group["schedule"]]        if group["schedule"] == "linear":
lr = group["lr"] * schedule(progress)    ->        schedule_value = linear(progress)
                                               else:
                                                   schedule_value = constant(progress)
                                               lr = group["lr"] * schedule_value

Only what is called by its name can be looked into.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import libcst as cst

from torch2jax.normalize.rounds import CannotNormalize
from torch2jax.program.program import Program
from torch2jax.syntax.fresh import FreshNames
from torch2jax.syntax.quote import quote_statement
from torch2jax.syntax.walk import descendants

_READING = frozenset({"keys", "values", "items", "get"})
_Table = Mapping[str, str]


def tables_of_functions(program: Program, functions: Collection[str]) -> dict[str, _Table]:
    """The dictionaries at module level that hold functions of the file, and are only read: the names by the texts of their keys."""
    module = program.index.module
    found: dict[str, _Table] = {}
    for line in module.body:
        match line:
            case cst.SimpleStatementLine(
                body=[cst.Assign(targets=[cst.AssignTarget(target=cst.Name(name))], value=cst.Dict(elements=elements))]
            ):
                pairs = [_pair(item, functions) for item in elements]
                if pairs and None not in pairs and _is_only_read(program, name):
                    found[name] = dict(pair for pair in pairs if pair is not None)
    return found


def with_calls_by_name(
    lines: Sequence[cst.BaseStatement], tables: Mapping[str, _Table], fresh: FreshNames
) -> list[cst.BaseStatement]:
    """Statements in which what tables give is called by its name. Refused where it is used in another way."""
    every = [node for line in lines for node in descendants(line)]
    chosen: dict[str, cst.Subscript] = {}
    for node in every:
        match node:
            case cst.Assign(targets=[cst.AssignTarget(target=cst.Name(name))], value=cst.Subscript() as value):
                if _table(value) in tables:
                    if name in chosen:
                        raise CannotNormalize
                    chosen[name] = value
    if not any(isinstance(node, cst.Subscript) and _table(node) in tables for node in every):
        return list(lines)
    return _Calls(tables, chosen, fresh).lines(lines)


class _Calls:
    def __init__(self, tables: Mapping[str, _Table], chosen: Mapping[str, cst.Subscript], fresh: FreshNames) -> None:
        self.tables, self.chosen, self.fresh = tables, chosen, fresh
        self.leading: Sequence[cst.EmptyLine] = ()  # of a statement that goes

    def lines(self, body: Sequence[cst.BaseStatement]) -> list[cst.BaseStatement]:
        return [made for line in body for made in self.line(line)]

    def line(self, line: cst.BaseStatement) -> list[cst.BaseStatement]:
        match line:
            case cst.SimpleStatementLine(body=[cst.Assign(value=cst.Subscript() as value)]):
                if value in self.chosen.values():
                    self.leading = line.leading_lines
                    return []
            case cst.If(body=cst.IndentedBlock() as block):
                orelse = line.orelse
                if isinstance(orelse, cst.Else):
                    orelse = orelse.with_changes(
                        body=orelse.body.with_changes(body=self.lines(orelse.body.body))  # type: ignore[arg-type]
                    )
                elif isinstance(orelse, cst.If):
                    made = self.line(orelse)
                    orelse = cst.ensure_type(made[0], cst.If)
                self.check(line.test)
                return [line.with_changes(body=block.with_changes(body=self.lines(block.body)), orelse=orelse)]
        calls = [item for item in descendants(line, cst.Call) if self.looked_up(item.func) is not None]
        if not calls:
            self.check(line)
            return [line]
        if len(calls) > 1 or not isinstance(line, cst.SimpleStatementLine):
            raise CannotNormalize
        (call,) = calls
        looked_up = self.looked_up(call.func)
        assert looked_up is not None
        self.check(line, but=call.func)
        name = call.func.value if isinstance(call.func, cst.Name) else "chosen"
        result = self.fresh(f"{name}_value")
        above = self.decision(looked_up, call, result).with_changes(leading_lines=self.leading)
        self.leading = ()
        return [above, cst.ensure_type(line.deep_replace(call, cst.Name(result)), cst.SimpleStatementLine)]

    def decision(self, looked_up: cst.Subscript, call: cst.Call, result: str) -> cst.BaseStatement:
        """One call for each function of a table, whatever the last key is."""
        index = cst.ensure_type(looked_up.slice[0].slice, cst.Index).value
        entries = list(self.tables[str(_table(looked_up))].items())
        parts, holes = [], {}
        for number, (key, function) in enumerate(entries):
            head = "else" if number == len(entries) - 1 else f"{'el' if number else ''}if {{key}} == {key}"
            parts.append(f"{head}:\n    {result} = {{call{number}}}")
            holes[f"call{number}"] = call.with_changes(func=cst.Name(function))
        if len(entries) == 1:
            return quote_statement(f"{result} = {{call}}", call=holes["call0"])
        return quote_statement("\n".join(parts), key=index, **holes)

    def looked_up(self, node: cst.BaseExpression) -> cst.Subscript | None:
        if isinstance(node, cst.Name):
            return self.chosen.get(node.value)
        return node if isinstance(node, cst.Subscript) and _table(node) in self.tables else None

    def check(self, node: cst.CSTNode, but: cst.CSTNode | None = None) -> None:
        """Refuse what does something else with a function of a table."""
        inside = set() if but is None else {but, *descendants(but)}
        for item in descendants(node):
            if item not in inside and isinstance(item, cst.Name | cst.Subscript) and self.looked_up(item) is not None:
                raise CannotNormalize


def _table(node: cst.Subscript) -> str | None:
    match node:
        case cst.Subscript(value=cst.Name(name), slice=[cst.SubscriptElement(slice=cst.Index())]):
            return name
    return None


def _pair(element: cst.BaseDictElement, functions: Collection[str]) -> tuple[str, str] | None:
    match element:
        case cst.DictElement(key=cst.SimpleString(value=key), value=cst.Name(name)) if name in functions:
            return key, name
    return None


def _is_only_read(program: Program, name: str) -> bool:
    """Whether a name is bound once in a file, and what it stands for is not changed there."""
    parents, bound = program.index.parents, 0
    for node in program.index.names:
        if node.value != name:
            continue
        above = parents[node]
        bound += isinstance(above, cst.AssignTarget)
        is_entry = isinstance(above, cst.Subscript) and isinstance(parents[above], cst.AssignTarget | cst.Del)
        if is_entry or (isinstance(above, cst.Attribute) and above.attr.value not in _READING):
            return False
    return bound == 1
