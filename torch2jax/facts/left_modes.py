"""The mode in which a method leaves its own module, and the one in which `__init__` makes it.

A forward may-analysis over the statements of a method: at each place the modes in which the module may be; `None` stands for the one
in which the method was called, and for what is not known. Lattice: sets of modes; join: union.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set

import libcst as cst

from torch2jax.facts.captures import reached
from torch2jax.facts.effects import Effects
from torch2jax.facts.infer import Values, all_marks
from torch2jax.facts.module_state import init_methods
from torch2jax.program.calls import arguments_by_parameter
from torch2jax.program.program import Class, Function, Program, dotted
from torch2jax.program.statements import bound_by, bound_parts, suite_body
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind

LEAVES_MODE = "leaves mode"  # marks (method, mode): it sets the mode of its module, and what calls it sets that, too

_CONTAINERS = ("torch.nn.Sequential", "torch.nn.ModuleList", "torch.nn.ModuleDict")
_Modes = frozenset[str | None]
_UNKNOWN: _Modes = frozenset({None})
_MAYBE = (cst.BooleanOperation, cst.IfExp, cst.CompFor, cst.Lambda)
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


def modes_in_front(values: Values, body: Sequence[cst.CSTNode], place: str, line: cst.CSTNode) -> Set[str | None]:
    """The modes in which the module at a place may be in front of a statement, the other statements of whose function are `body`."""
    walk = _Walk(values, place, _calls_setting(values, body, place, frozenset()))
    walk.block(body, _UNKNOWN)
    return walk.in_front.get(line, _UNKNOWN)


def mode_left_by(values: Values, function: Function, parameter: str) -> str | None:
    """The mode in which a function leaves a module that it is given, if it says so itself, and on every way."""
    return _mode_left_by(values, function, parameter, frozenset({function}))


def _mode_left_by(values: Values, function: Function, parameter: str, around: Set[Function]) -> str | None:
    walk = _Walk(values, parameter, _calls_setting(values, suite_body(function.node), parameter, around))
    ends = walk.block(suite_body(function.node), _UNKNOWN) | walk.left
    return next(iter(ends)) if len(ends) == 1 else None


def _calls_setting(
    values: Values, body: Sequence[cst.CSTNode], place: str, around: Set[Function]
) -> dict[cst.CSTNode, str | None]:
    """The calls of functions of the program, inside of others or not, that set modes, with those in which they leave a module."""
    found: dict[cst.CSTNode, str | None] = {}
    for call in (node for part in body for node in descendants(part, cst.Call)):
        for callee in values.callees.get(call, ()):
            setting = [item for item in (callee, *reached([callee.node.body], values)) if _sets_modes(item)]
            names = [name for name, given in arguments_by_parameter(callee, call, values) if dotted(given) == place]
            if setting:
                is_known = len(names) == 1 and callee not in around
                found[call] = _mode_left_by(values, callee, names[0], around | {callee}) if is_known else None
            if any(_sets_modes(wrapper) for wrapper in values.wrappers(callee)):
                found[call] = None
    return found


def evaluates_at(values: Values, body: Sequence[cst.CSTNode], place: str, line: cst.CSTNode) -> bool:
    """Whether the module at a place, and all its parts, surely evaluate where a statement stands."""
    others = {node: None for part in body for node in (part, *descendants(part)) if _may_change(values, node, place)}
    setting = _calls_setting(values, body, place, frozenset())
    walk = _Walk(values, place, {**others, **setting})
    walk.block(body, _UNKNOWN)
    return walk.in_front.get(line, _UNKNOWN) == {"eval"}


def _may_change(values: Values, node: cst.CSTNode, place: str) -> bool:
    """Whether a node binds a place anew, sets the mode of what may be a part of it, or hands it to nobody knows whom."""
    match node:
        case cst.Call(func=cst.Attribute(value=other, attr=cst.Name("train" | "eval"))):
            return dotted(other) != place and _may_be_related(values, other, place)
        case cst.Call(func=called) if values(called).kind is Kind.UNKNOWN and not values.callees.get(node):
            own = called.value if isinstance(called, cst.Attribute) else called
            return any(_is_around(item, place) for item in (own, *(item.value for item in node.args)))
        case cst.AssignTarget(target=target) | cst.AnnAssign(target=target) | cst.For(target=target):
            return any(_is_around(item, place) for item in bound_parts(target))
        case cst.NamedExpr(target=target) | cst.AsName(name=target):
            return any(_is_around(item, place) for item in bound_parts(target))
    return isinstance(node, cst.Del | cst.Global | cst.Nonlocal)


def _is_around(node: cst.CSTNode, place: str) -> bool:
    other = dotted(node) if isinstance(node, cst.BaseExpression) else None
    return other is not None and f"{place}.".startswith(f"{other}.")


def _may_be_related(values: Values, other: cst.BaseExpression, place: str) -> bool:
    """Whether a module that a call sets the mode of may be one at a place, a part of it, or what it is a part of."""
    name = dotted(other)
    if name is None or "." in name or "." in place:
        return True
    value, function = values(other), values.program.function_around(other)
    own = function.env.get(place) if function is not None else values.program.module_env.get(place)
    is_known = own is not None and bool(value.sites) and bool(own.sites)
    return not is_known or not value.sites.isdisjoint(own.sites)  # type: ignore[union-attr]


def _sets_modes(function: Function) -> bool:
    """Whether a function sets the mode of something."""
    return any(
        isinstance(node.func, cst.Attribute) and node.func.attr.value in ("train", "eval")
        for node in descendants(function.node.body, cst.Call)
    )


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


def _header(line: cst.CSTNode) -> Set[cst.CSTNode]:
    """What is evaluated in front of the blocks of a statement, or all of one that has none."""
    match line:
        case cst.If(test=header) | cst.While(test=header):
            return {header, *descendants(header)}
        case cst.For(iter=header):
            return {line, header, *descendants(header)}
        case cst.With(items=items):
            return {node for item in items for node in descendants(item)}
        case cst.SimpleStatementLine():
            return {*descendants(line)}
    return frozenset()


class _Walk:
    def __init__(self, values: Values, own: str, calls: Mapping[cst.CSTNode, str | None] | None = None) -> None:
        self.values, self.own = values, own
        self.calls = calls or {}  # calls of functions that set the mode, with what they leave it in, and other changes
        self.in_front: dict[cst.CSTNode, _Modes] = {}
        self.left: _Modes = frozenset()  # at statements that return
        self.seen: list[_Modes] = []  # behind all statements so far

    def block(self, body: Sequence[cst.CSTNode], modes: _Modes) -> _Modes:
        for line in body:
            self.in_front[line] = self.in_front.get(line, frozenset()) | modes
            modes = self.line(line, modes)
            self.seen.append(modes)
        return modes

    def line(self, line: cst.CSTNode, modes: _Modes) -> _Modes:
        modes = self.behind_calls(_header(line), modes)
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
        is_silent = not any(is_mode_call(node, self.own) or node in self.calls for node in descendants(line))
        if any(isinstance(node, cst.Return) for node in descendants(line)) and not isinstance(line, cst.FunctionDef):
            self.left |= modes if is_silent else _UNKNOWN
        return modes if is_silent else _UNKNOWN

    def behind_calls(self, nodes: Set[cst.CSTNode], modes: _Modes) -> _Modes:
        """The modes behind the calls that set them among what is evaluated."""
        found = [self.calls[node] for node in nodes if node in self.calls] if self.calls else []
        is_sure = len(found) == 1 and not any(isinstance(node, _MAYBE) for node in nodes)
        return frozenset(found) if is_sure else modes.union(found)

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
    "evaluates_at",
    "find_mode_left",
    "is_made_for_training",
    "is_mode_call",
    "leaves_mode",
    "mode_call",
    "mode_left_by",
    "mode_line",
    "modes_in_front",
    "modes_left",
]
