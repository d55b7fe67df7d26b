"""Objects that step the optimizer they keep, with gradients of the code around them: that code steps it.

class NoamOpt:                                     class NoamOpt:
    def step(self):                                    def before_step(self):
        rate = self.rate()                                 rate = self.rate()
        for group in self.optimizer.param_groups:   ->     for group in self.optimizer.param_groups:
            group["lr"] = rate                                 group["lr"] = rate
        self.optimizer.step()
                                                   loss.backward()
loss.backward()                                    noam.before_step()
noam.step()                                        noam.optimizer.step()

A method with nothing else in it goes. What has another name fails where somebody out of sight calls it by the old one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field
from functools import partial

import libcst as cst

from torch2jax.facts.infer import all_marks
from torch2jax.facts.kept_fields import trains
from torch2jax.facts.schedules import STEPPED_ELSEWHERE
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.program import Class, Function, dotted
from torch2jax.records import dataclass
from torch2jax.syntax.edits import Rewriter, always, is_docstring
from torch2jax.syntax.problem import Problem
from torch2jax.syntax.quote import quote_statement
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind

_TAKEN = ("step", "zero_grad")


def normalize_wrapped_steps(work: NormalizationRound) -> None:
    """Take the steps of optimizers out of such methods."""
    if work.effects is None:
        return
    found = [item for owner in work.program.classes.values() for item in _methods(work, owner)]
    names = {item.method.name for item in found}
    for item in found:
        if not any(_calls_own(item.method, name) for name in names) and item.plan():
            item.edit()
    _step_for_others(work)


def _methods(work: NormalizationRound, owner: Class) -> Iterator[_Method]:
    """The methods of a class that step an optimizer which their object keeps, as the last that they do with it."""
    if owner.is_module or trains(work.values, owner) or len(owner.lineage) > 1:
        return
    for method in owner.methods.values():
        if method.name.startswith("__") or method.node.decorators or method.self_name is None:
            continue
        body = method.node.body.body
        lines = [line for line in body if _stepped(work, method, line) is not None]
        fields = {str(dotted(item.value)) for line in lines if (item := _stepped(work, method, line)) is not None}
        if len(fields) != 1 or not all(isinstance(line, cst.SimpleStatementLine) for line in lines):
            continue
        rest = [line for line in body[body.index(lines[0]) :] if line not in lines]
        mentions = [node for node in descendants(method.node.body) if _place(node) in fields]
        if any(_acts(work, method, line, fields) for line in rest):
            continue
        taken = {node for line in lines for node in descendants(line)}
        before = [node for node in mentions if node not in taken]
        if all(not _is_stepped_again(work, node) for node in before):
            yield _Method(work, owner, method, lines)  # type: ignore[arg-type]


def _stepped(work: NormalizationRound, method: Function, line: cst.CSTNode) -> cst.Attribute | None:
    """`self.optimizer.step` of a line that is a call of it."""
    match line:
        case cst.SimpleStatementLine(
            body=[cst.Expr(value=cst.Call(func=cst.Attribute(value=held, attr=cst.Name(value=name)) as func, args=[]))]
        ):
            own, _, rest = (dotted(held) or "").partition(".")
            if name in _TAKEN and own == method.self_name and rest and "." not in rest:
                return func if work.values(held).kind is Kind.OPTIMIZER else None
    return None


def _place(node: cst.CSTNode) -> str:
    return dotted(node) or "" if isinstance(node, cst.Attribute) else ""


def _acts(work: NormalizationRound, method: Function, line: cst.CSTNode, fields: set[str]) -> bool:
    """Whether a line behind a step has to do with the optimizer, or may: it calls something, or returns a value."""
    nodes = list(descendants(line))
    has_value = any(isinstance(node, cst.Return) and node.value is not None for node in nodes)
    return has_value or any(isinstance(node, cst.Call) or _place(node) in fields for node in nodes)


def _is_stepped_again(work: NormalizationRound, node: cst.CSTNode) -> bool:
    parent = work.index.parents[node]
    return not (isinstance(parent, cst.Attribute) and parent.attr.value == "param_groups")


def _calls_own(method: Function, name: str) -> bool:
    return any(
        isinstance(node, cst.Attribute) and node.attr.value == name and dotted(node.value) == method.self_name
        for node in descendants(method.node.body)
    )


@dataclass(slots=True)
class _Method:
    """A method with lines that step an optimizer of its object."""

    work: NormalizationRound
    owner: Class
    method: Function
    lines: Sequence[cst.SimpleStatementLine]
    calls: dict[cst.SimpleStatementLine, cst.Call] = field(default_factory=dict)

    def plan(self) -> bool:
        """Whether all calls of the method are statements of their own, on objects that have a name."""
        for call, callees in self.work.values.callees.items():
            if call not in self.work.index.parents or self.method not in callees:
                continue
            line = _line_of(self.work, call)
            if line is None or len(callees) > 1 or not isinstance(call, cst.Call):
                return False
            self.calls[line] = call
        called = {call.func for call in self.calls.values()}
        return not any(
            node.attr.value == self.method.name and node not in called and self.may_be_own(node)
            for node in self.work.index.attributes
        )

    def may_be_own(self, node: cst.Attribute) -> bool:
        value = self.work.values(node.value)
        return value.kind is Kind.OBJECT and self.owner.key in value.types

    def edit(self) -> None:
        method, work = self.method, self.work
        body = [line for line in method.node.body.body if line not in self.lines]
        is_empty = all(is_docstring(line) for line in body)
        new = "" if is_empty else self.new_name()
        behind = [str(dotted(_call_of(line).func))[len(str(method.self_name)) :] for line in self.lines]
        work.marks.add((STEPPED_ELSEWHERE, self.owner.key, method.name, new, *behind))
        if is_empty:
            alone = sum(isinstance(item, cst.FunctionDef) for item in self.owner.node.body.body) == 1
            work.edits.rewrite_statement(method.node, partial(_nothing, alone))
        else:
            work.edits.replace(method.node.name, always(cst.Name(new)))
            for line in self.lines:
                work.edits.remove(line)
        for line, call in self.calls.items():
            work.edits.rewrite_statement(line, partial(_apart, line, call, new, behind))

    def new_name(self) -> str:
        taken = {node.value for node in descendants(self.owner.node) if isinstance(node, cst.Name)}
        name = f"before_{self.method.name}"
        while name in taken:
            name += "_"
        return name


def _line_of(work: NormalizationRound, call: cst.CSTNode) -> cst.SimpleStatementLine | None:
    """The line that a call of a method, on an object with a name, is alone."""
    line = work.index.statement_of(call)
    match line:
        case cst.SimpleStatementLine(body=[cst.Expr(value=cst.Call(func=cst.Attribute(value=held)) as own)]):
            return line if own is call and dotted(held) is not None else None
    return None


def _call_of(line: cst.SimpleStatementLine) -> cst.Call:
    return cst.ensure_type(cst.ensure_type(line.body[0], cst.Expr).value, cst.Call)


def _nothing(alone: bool, rewrite: Rewriter) -> list[cst.BaseStatement]:
    return [quote_statement("pass")] if alone else []


def _apart(
    line: cst.SimpleStatementLine, call: cst.Call, new: str, behind: Sequence[str], rewrite: Rewriter
) -> list[cst.BaseStatement]:
    """What is left of a call, and the steps behind it."""
    func = cst.ensure_type(call.func, cst.Attribute)
    held = dotted(func.value)
    lines = [quote_statement(f"{held}{place}()") for place in behind]
    if new:
        own = rewrite.inside(line)
        assert isinstance(own, cst.SimpleStatementLine)
        made = _call_of(own)
        named = made.with_changes(func=cst.ensure_type(made.func, cst.Attribute).with_changes(attr=cst.Name(new)))
        lines = [own.with_changes(body=[cst.Expr(named)]), *lines]
    else:
        lines[0] = lines[0].with_changes(leading_lines=line.leading_lines)
    return list(lines)


def _step_for_others(work: NormalizationRound) -> None:
    """Step the optimizers of objects whose class another file defines."""
    marks = {mark[1:3]: mark[3:] for mark in all_marks(work.program) if mark[0] == STEPPED_ELSEWHERE}
    own = {item.key for item in work.program.classes.values()}
    for call in work.index.calls if marks else ():
        if not isinstance(call.func, cst.Attribute):
            continue
        value = work.values(call.func.value)
        keys = value.types - own if value.kind is Kind.OBJECT else frozenset[str]()
        found = {marks[key, call.func.attr.value] for key in keys if (key, call.func.attr.value) in marks}
        line = _line_of(work, call)
        if found and (line is None or len(value.types) > 1):
            reason = f"`{call.func.attr.value}()` of a class of another file steps its optimizer"
            work.lasting.append(Problem(call, "T2J500", {"reason": reason}))
        elif found and line is not None:
            new, *behind = found.pop()
            work.edits.rewrite_statement(line, partial(_apart, line, call, new, behind))


__all__ = ["normalize_wrapped_steps"]
