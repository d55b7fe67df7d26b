"""Objects that take training steps for their callers, normalized to what they do where they are called.

class NativeScaler:                                             loss.backward()
    def __call__(self, loss, optimizer, clip_grad=None,         if update:
                 parameters=None, update_grad=True):                norm = clip_grad_norm_(model.parameters(), 1.0)
        loss.backward()                                   ->        optimizer.step()
        if update_grad:                                         else:
            norm = clip_grad_norm_(parameters, clip_grad)           norm = None
            optimizer.step()
        else:
            norm = None
        return norm

norm = scaler(loss, optimizer, 1.0, model.parameters(), update)

A gradient is taken of one function, which the loss that is handed to another object does not show. Scaling of losses has been
normalized away before.
"""

from __future__ import annotations

import builtins
from collections.abc import Iterator, Sequence

import libcst as cst

from torch2jax.facts.infer import all_marks
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.normalize.written_out import is_row
from torch2jax.program.layout import joined
from torch2jax.program.program import Class, Function, Program, dotted, imported_module
from torch2jax.program.statements import suite_body, target_of_call
from torch2jax.syntax.codegen import code
from torch2jax.syntax.edits import always_statements, is_docstring
from torch2jax.syntax.folding import Folder
from torch2jax.syntax.fresh import FreshNames
from torch2jax.syntax.problem import Problem
from torch2jax.syntax.quote import names_in, quote_statement
from torch2jax.syntax.walk import bound_names, descendants, is_label
from torch2jax.values import Kind

_WRITTEN_OUT = "written out"  # marks (class, text): its objects take steps where they are called, as the text says


def normalize_step_objects(work: NormalizationRound) -> None:
    """Write out the calls of all such objects."""
    known = {mark[1]: mark[2] for mark in all_marks(work.program) if mark[0] == _WRITTEN_OUT}
    for key, text in known.items():
        item = work.program.class_by_key.get(key)
        if item is not None and item.node not in work.program.classes:
            _write_out_all(work, item, text)
    if not work.program.mentions("backward"):
        return
    for item in work.program.classes.values():
        method = item.methods.get("__call__")
        if item.key not in known and method is not None and not item.is_module and _takes_steps(work, item, method):
            _normalize(work, item, method)


def _normalize(work: NormalizationRound, item: Class, method: Function) -> None:
    text = code(method.node)
    calls = list(_calls(work, item))
    if not calls and not work.program.is_imported:
        return
    made = [(call, _written_out(work, item, text, call)) for call in calls]
    if any(lines is None for _, lines in made):
        return
    for call, lines in made:
        assert lines is not None
        work.edits.rewrite_statement(work.index.statement_of(call), always_statements(lines))
    work.edits.remove(method.node)
    work.marks.add((_WRITTEN_OUT, item.key, text))


def _takes_steps(work: NormalizationRound, item: Class, method: Function) -> bool:
    """Whether a method is given a loss and an optimizer, takes a step with them, and asks its object for nothing."""
    if len(item.node.body.body) < 2 or not is_row(method) or item.lineage != [item] or method.self_name is None:
        return False
    if any(other is not item and item in other.lineage for other in work.program.class_by_key.values()):
        return False
    given, asked = set(method.parameter_names), set[str]()
    for node in descendants(method.node.body):
        match node:
            case cst.Call(func=cst.Attribute(value=cst.Name(name), attr=cst.Name("backward" | "step" as what))) if (
                name in given
            ):
                asked.add(what)
            case cst.Name(name) if name == method.self_name:
                return False
    return asked == {"backward", "step"}


def _calls(work: NormalizationRound, item: Class) -> Iterator[cst.Call]:
    """The calls of objects of a class."""
    for call in work.index.calls:
        value = work.values(call.func)
        if value.kind is Kind.OBJECT and item.key in value.types:
            yield call


def _write_out_all(work: NormalizationRound, item: Class, text: str) -> None:
    """Write out the calls of objects of a class of another file, and report those that cannot be."""
    for call in _calls(work, item):
        lines = _written_out(work, item, text, call)
        if lines is None:
            reason = f"`{code(call.func)}` takes it, and its statements cannot stand here"
            work.problems.append(Problem(call, "T2J500", {"reason": reason}))
        else:
            work.edits.rewrite_statement(work.index.statement_of(call), always_statements(lines))


def _written_out(
    work: NormalizationRound, item: Class, text: str, call: cst.Call
) -> Sequence[cst.BaseStatement] | None:
    """The statements of a call; None where they do not mean the same there."""
    line = work.index.statement_of(call)
    target = target_of_call(line, call)
    around = work.program.function_around(call)
    if target is None or work.values(call.func).types != {item.key} or not isinstance(line, cst.SimpleStatementLine):
        return None
    function = cst.ensure_type(cst.parse_statement(text), cst.FunctionDef)
    given = _arguments(work, function, call)
    if given is None:
        return None
    here = _variables(work, around)
    if not any(names_in(item.value) & {target} for item in call.args):
        here -= {target}
    fresh = FreshNames(here)
    body = [part for part in suite_body(function) if not is_docstring(part)]
    bound = {name for part in body for name in _bound(part)}
    values, first = {}, list[cst.BaseStatement]()
    for name, argument in given.items():
        if name not in bound and _may_stand_for(work, argument):
            values[name] = code(argument)
        else:
            values[name] = fresh(name) if name in here else name
            first.append(quote_statement(f"{values[name]} = {{value}}", value=argument.deep_clone()))
    values |= {name: fresh(name) if name in here else name for name in sorted(bound - given.keys())}
    others = _names_of_others(work, item, function, here)
    if others is None:
        return None
    there = frozenset(name for name, argument in given.items() if work.values(argument).kind is Kind.PARAMETERS)
    block = cst.IndentedBlock(body).visit(_Present(there)).visit(Folder(values | others))  # type: ignore[union-attr]
    assert isinstance(block, cst.IndentedBlock)
    return _with_result([*first, *filter(_says_something, block.body)], target)


def _variables(work: NormalizationRound, around: Function | None) -> set[str]:
    """The names of variables in a function, or in the file."""
    nodes = descendants(around.node) if around is not None else work.index.names
    return {node.value for node in nodes if isinstance(node, cst.Name) and not work.index.is_label(node)}


def _arguments(
    work: NormalizationRound, function: cst.FunctionDef, call: cst.Call
) -> dict[str, cst.BaseExpression] | None:
    """What the parameters but `self` are given; None if that is not in sight."""
    params = [*function.params.params, *function.params.kwonly_params][1:]
    if function.params.posonly_params or any(item.star for item in call.args):
        return None
    names = [param.name.value for param in params]
    plain = [item.value for item in call.args if item.keyword is None]
    given = dict(zip(names, plain, strict=False))
    given |= {item.keyword.value: item.value for item in call.args if item.keyword is not None}
    for param in params:
        if param.name.value not in given and isinstance(
            param.default, (cst.Name, cst.Integer, cst.Float, cst.SimpleString)
        ):
            given[param.name.value] = param.default
    return given if set(given) == set(names) and len(plain) <= len(names) else None


def _bound(part: cst.CSTNode) -> Iterator[str]:
    for node in (part, *descendants(part)):
        if isinstance(node, (cst.AssignTarget, cst.AugAssign, cst.AnnAssign, cst.NamedExpr, cst.For, cst.CompFor)):
            yield from bound_names(node.target)
        elif isinstance(node, cst.AsName):
            yield from names_in(node.name)


def _may_stand_for(work: NormalizationRound, argument: cst.BaseExpression) -> bool:
    """Whether an argument may be evaluated where its parameter is used: a variable, a literal, the parameters of a model."""
    if isinstance(argument, (cst.Name, cst.Integer, cst.Float, cst.SimpleString)):
        return True
    is_place = dotted(argument) is not None and work.values(argument).kind in (Kind.OPTIMIZER, Kind.MODULE)
    if is_place or not isinstance(argument, cst.Call) or work.values(argument).kind is not Kind.PARAMETERS:
        return is_place
    return isinstance(argument.func, cst.Attribute) and dotted(argument.func) is not None and not argument.args


def _names_of_others(
    work: NormalizationRound, item: Class, function: cst.FunctionDef, here: set[str]
) -> dict[str, str] | None:
    """What the names that a method takes from its file are called here; None where one has no name."""
    home = next((file for file in work.program.files if file.prefix == item.place), None)
    own = {param.name.value for param in (*function.params.params, *function.params.kwonly_params)} | set(
        _bound(function.body)
    )
    parents = {child: node for node in (function, *descendants(function)) for child in node.children}
    used = {
        node.value
        for node in descendants(function.body)
        if isinstance(node, cst.Name) and not is_label(node, parents[node]) and node.value not in own
    }
    found: dict[str, str] = {}
    for name in sorted(used - set(dir(builtins))):
        known = home.module_env.get(name) if home is not None else None
        if home is None or known is None:
            return None
        if work.program.module_env.get(name) == known or home is work.program:
            if name in here and home is work.program and _is_local(work, name):
                return None
            continue
        alias = _alias(work.program, home)
        if alias is None:
            return None
        found[name] = f"{alias}.{name}"
    return found


def _is_local(work: NormalizationRound, name: str) -> bool:
    return any(
        name in function.env and name not in work.program.module_env for function in work.program.functions.values()
    )


def _alias(program: Program, home: Program) -> str | None:
    """The name under which a file has imported another as a whole: `misc` of `import util.misc as misc`."""
    for statement in program.index.every(cst.Import, cst.ImportFrom):
        assert isinstance(statement, (cst.Import, cst.ImportFrom))
        for alias in statement.names if not isinstance(statement.names, cst.ImportStar) else ():
            name = alias.evaluated_name
            if isinstance(statement, cst.ImportFrom):
                name = joined(imported_module(statement)[0], name)
            if program.asked.get(name) == home.prefix:
                return alias.evaluated_alias or alias.evaluated_name
    return None


class _Present(cst.CSTTransformer):
    """Takes the decision whether some parameters are None: they are not."""

    def __init__(self, names: frozenset[str]) -> None:
        super().__init__()
        self.names = names

    def leave_Comparison(self, original_node: cst.Comparison, updated_node: cst.Comparison) -> cst.BaseExpression:
        match updated_node:
            case cst.Comparison(
                left=cst.Name(name), comparisons=[cst.ComparisonTarget(operator=operator, comparator=cst.Name("None"))]
            ) if name in self.names:
                return cst.Name(str(isinstance(operator, (cst.IsNot, cst.NotEqual))))
        return updated_node

    def leave_SimpleStatementLine(
        self, original_node: cst.SimpleStatementLine, updated_node: cst.SimpleStatementLine
    ) -> cst.SimpleStatementLine | cst.RemovalSentinel:
        match updated_node.body:
            case [cst.Assert(test=cst.Name("True"))]:
                return cst.RemoveFromParent()
        return updated_node


def _says_something(line: cst.BaseStatement) -> bool:
    match line:
        case cst.SimpleStatementLine(body=[cst.Pass()]):
            return False
    return True


def _with_result(lines: Sequence[cst.BaseStatement], target: str) -> Sequence[cst.BaseStatement] | None:
    """The statements with what the last of them returns in the place of the call."""
    match lines[-1] if lines else None:
        case cst.SimpleStatementLine(body=[cst.Return(value=value)]):
            if not target:
                return (
                    lines[:-1]
                    if value is None or not any(isinstance(n, cst.Call) for n in (value, *descendants(value)))
                    else None
                )
            result = value if value is not None else cst.Name("None")
        case _:
            if not target:
                return lines
            result = cst.Name("None")
    kept = (
        lines[:-1]
        if isinstance(lines[-1], cst.SimpleStatementLine) and isinstance(lines[-1].body[0], cst.Return)
        else lines
    )
    if isinstance(result, cst.Name) and result.value == target:
        return kept
    return [*kept, quote_statement(f"{target} = {{value}}", value=result)]


__all__ = ["normalize_step_objects"]
