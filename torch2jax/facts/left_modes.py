"""The mode in which a method leaves its own module, and the one in which `__init__` makes it.

A forward may-analysis over the statements of a method: at each place the modes in which the module may be; `None` stands for the one
in which the method was called, and for what is not known. Lattice: sets of modes; join: union.
"""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from torch2jax.facts.effects import Effects
from torch2jax.facts.infer import Values, all_marks
from torch2jax.facts.module_state import init_methods
from torch2jax.program.program import Class, Function, Program, dotted
from torch2jax.program.statements import bound_by, suite_body
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind

LEAVES_MODE = "leaves mode"  # marks (method, mode): it sets the mode of its module, and what calls it sets that, too

_CONTAINERS = ("torch.nn.Sequential", "torch.nn.ModuleList", "torch.nn.ModuleDict")
_Modes = frozenset[str | None]
_UNKNOWN: _Modes = frozenset({None})
_OTHERWISE = " otherwise"  # behind "eval": only where the module was in the other mode


def mode_line(place: str, mode: str) -> str:
    """The statement that sets a mode: `net.eval()`, or that in `if net.training:`."""
    name = mode.removesuffix(_OTHERWISE)
    if name == mode:
        return f"{place}.{name}()"
    return f"if {'' if name == 'eval' else 'not '}{place}.training:\n    {place}.{name}()"


def leaves_mode(program: Program, function: Function | None) -> bool:
    """Whether the callers of a method set the mode in which it leaves its module."""
    return function is not None and any(mark[:2] == (LEAVES_MODE, function.key) for mark in program.marks)


def modes_left(program: Program) -> dict[str, str]:
    """The methods, those of other files included, whose callers set a mode behind them."""
    return {mark[1]: mark[2] for mark in all_marks(program) if mark[0] == LEAVES_MODE}


def mode_call(node: cst.CSTNode, own: str) -> cst.Call | None:
    """The call, if that is all that a statement is, that sets the mode of a module: `self.eval()`."""
    match node:
        case cst.SimpleStatementLine(body=[cst.Expr(value=cst.Call() as call)]) if is_mode_call(call, own):
            return call
    return None


def is_mode_call(node: cst.CSTNode, own: str) -> bool:
    match node:
        case cst.Call(func=cst.Attribute(value=place, attr=cst.Name("train" | "eval"))):
            return dotted(place) == own
    return False


def find_mode_left(values: Values, method: Function) -> str | None:
    """The mode, "train" or "eval", in which a method leaves its module on every way, or (`otherwise`) sets where it is in the other
    one; None if there is no such mode.
    """
    walk = _Walk(values, str(method.self_name))
    ends = walk.block(suite_body(method.node), _UNKNOWN) | walk.left
    return next(iter(ends)) if len(ends) == 1 else None


def is_made_for_training(effects: Effects, item: Class) -> bool:
    """Whether all parts of a module are made with it, and none is set to another mode than that of new modules."""
    heirs = [other for other in effects.program.class_by_key.values() if item in other.lineage]
    if any(_has_open_part(effects, heir, frozenset()) for heir in heirs):
        return False
    return not any(_takes_module(effects, method) for heir in heirs for method in init_methods(heir))


def _has_open_part(effects: Effects, item: Class, seen: frozenset[str]) -> bool:
    """Whether a field of a module, or of a part of it, may hold a module of which nothing is known."""
    if item.key in seen:
        return False
    seen |= {item.key}
    for name, value in item.all_fields():
        if effects.may_hold_mode(item, name, value) or any(
            part.kind is Kind.UNKNOWN for part in effects.members(value)
        ):
            return True
        if any(_has_open_part(effects, part, seen) for part in effects.classes_of(value)):
            return True
    return False


def _takes_module(effects: Effects, method: Function) -> bool:
    """Whether a method that makes a module sets modes of parts, or names a module that it has not made."""
    inner = descendants(method.node.body, cst.Param)
    own = bound_by(method.node.body) | {item.name.value for item in inner}
    for node in descendants(method.node.body):
        match node:
            case cst.Call(func=cst.Attribute(attr=cst.Name("eval" | "train"))):
                if node.args or cst.ensure_type(node.func, cst.Attribute).attr.value == "eval":
                    return True
            case cst.Attribute(attr=cst.Name("training")):
                return True
            case cst.Name(value=name) if name not in own and name != method.self_name:
                if effects.values(node).kind is Kind.MODULE:
                    return True
            case cst.Arg(value=cst.Name() as given) if given.value in method.parameter_names:
                call = effects.program.index.parents[node]
                if effects.values(given).kind is Kind.UNKNOWN and isinstance(call, cst.Call):
                    if effects.values.torch_name(call.func) in _CONTAINERS:
                        return True
    return False


class _Walk:
    def __init__(self, values: Values, own: str) -> None:
        self.values, self.own = values, own
        self.left: _Modes = frozenset()  # at statements that return
        self.seen: list[_Modes] = []  # behind all statements so far

    def block(self, body: Sequence[cst.CSTNode], modes: _Modes) -> _Modes:
        for line in body:
            modes = self.line(line, modes)
            self.seen.append(modes)
        return modes

    def line(self, line: cst.CSTNode, modes: _Modes) -> _Modes:
        match line:
            case cst.SimpleStatementLine():
                return self.simple(line, modes)
            case cst.If(test=test, orelse=None) if modes == _UNKNOWN and self.mode_asked(test) is not None:
                opposite = {"train": "eval", "eval": "train"}[str(self.mode_asked(test))]
                inside = self.suite(line, modes)
                return frozenset({f"{opposite}{_OTHERWISE}"}) if inside == {opposite} else inside | modes
            case cst.If():
                other = modes if line.orelse is None else self.suite(line.orelse, modes)
                return self.suite(line, modes) | other
            case cst.Else() | cst.With():
                return self.suite(line, modes)
            case cst.For() | cst.While():
                start = len(self.seen)
                around = modes | self.suite(line, modes)
                around |= self.suite(line, around)
                behind = around.union(*self.seen[start:])  # from where it is left
                return behind if line.orelse is None else behind | self.suite(line.orelse, behind)
        is_silent = not any(is_mode_call(node, self.own) for node in descendants(line))
        if any(isinstance(node, cst.Return) for node in descendants(line)) and not isinstance(line, cst.FunctionDef):
            self.left |= modes if is_silent else _UNKNOWN
        return modes if is_silent else _UNKNOWN

    def mode_asked(self, test: cst.BaseExpression) -> str | None:
        """The mode in which a module is behind a test: `self.training`, `not self.training`."""
        if isinstance(test, cst.UnaryOperation) and isinstance(test.operator, cst.Not):
            return "eval" if dotted(test.expression) == f"{self.own}.training" else None
        return "train" if dotted(test) == f"{self.own}.training" else None

    def suite(self, node: cst.If | cst.Else | cst.With | cst.For | cst.While, modes: _Modes) -> _Modes:
        if isinstance(node, cst.If) and node.orelse is None and not isinstance(node.body, cst.IndentedBlock):
            return modes | self.simple(node.body, modes)
        body = node.body
        return self.block(body.body, modes) if isinstance(body, cst.IndentedBlock) else self.simple(body, modes)

    def simple(self, line: cst.CSTNode, modes: _Modes) -> _Modes:
        call = mode_call(line, self.own)
        if call is not None:
            return frozenset({self.mode_set(call)})
        if any(is_mode_call(node, self.own) for node in descendants(line)):
            modes = _UNKNOWN
        last = line.body[-1]  # type: ignore[attr-defined]
        if isinstance(last, cst.Return):
            self.left |= modes
        return frozenset() if isinstance(last, (cst.Return, cst.Raise)) else modes

    def mode_set(self, call: cst.Call) -> str | None:
        if not call.args:
            return cst.ensure_type(call.func, cst.Attribute).attr.value
        given = self.values(call.args[0].value).const
        return {True: "train", False: "eval"}[given] if isinstance(given, bool) else None


__all__ = [
    "LEAVES_MODE",
    "find_mode_left",
    "is_made_for_training",
    "is_mode_call",
    "leaves_mode",
    "mode_call",
    "mode_line",
    "modes_left",
]
