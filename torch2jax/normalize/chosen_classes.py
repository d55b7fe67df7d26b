"""Calls of variables that hold one of several classes of modules.

Classes without `__init__` that are called beside others, as `CLASSES[name]()`, or that keep what they draw from, get one, which takes
the same key:

class Identity(nn.Module):          ->   class Identity(nn.Module):
    def forward(self, x):                    def __init__(self):
        return x                                 super().__init__()

                                             def forward(self, x):
                                                 return x

Where classes of the program stand beside layers of torch, which are made in another way, it is asked which one it is:

kind = Net if own else nn.Linear    ->   kind = Net if own else nn.Linear
self.fc = kind(4, 4)                     self.fc = Net(4, 4) if kind is Net else kind(4, 4)
"""

from __future__ import annotations

import libcst as cst

from torch2jax.facts.effects import Draw
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.program import Class
from torch2jax.syntax.edits import always_statements
from torch2jax.syntax.quote import quote, quote_statement
from torch2jax.values import Kind, classes_beside_layers

_KINDS = ("posonly_params", "params", "kwonly_params")


def normalize_chosen_classes(work: NormalizationRound) -> None:
    """Normalize all such classes and calls of a file."""
    for call in work.index.calls:
        beside = classes_beside_layers(work.values(call.func))
        if beside is None or beside[0].kind is not Kind.CLASS:
            continue
        if call.args or work.effects.gains_beside_layers(call):  # type: ignore[union-attr]
            _ask_first(work, call, beside[0].types)
    effects = work.effects
    assert effects is not None
    bare = {
        key: item for key, item in work.program.class_by_key.items() if item.is_module and not item.method("__init__")
    }
    chosen: set[str] = set()
    for call in work.index.calls if bare else ():
        callee = work.values(call.func)
        if (
            callee.kind in (Kind.CLASS, Kind.FUNCTION)
            and len(callee.types) > 1
            and not bare.keys().isdisjoint(callee.types)
        ):
            if effects.draw_of(call) is not Draw.NONE:
                chosen |= bare.keys() & callee.types
    if effects.bound is None:  # where modules keep what they draw from, `__init__` gets it
        chosen |= {key for key, item in bare.items() if effects.keeps_key(item)}
        for item in work.program.classes.values():
            made = _inherited(item) if item.is_module and "__init__" not in item.methods else None
            if made is not None and effects.keeps_key(item) and not any(map(effects.keeps_key, item.lineage[1:])):
                work.edits.prologue(item.node.body, lambda rewrite, made=made: [made])  # type: ignore[misc]
    own = set(work.program.classes.values())
    for key in sorted(chosen):
        if bare[key] in own and isinstance(bare[key].node.body, cst.IndentedBlock):
            made = quote_statement("def __init__(self):\n    super().__init__()\n")
            work.edits.prologue(bare[key].node.body, lambda rewrite, made=made: [made])  # type: ignore[misc]


def _inherited(item: Class) -> cst.BaseStatement | None:
    """An `__init__` that hands everything on to the one that a class of the program inherits, if that takes no stars."""
    init = item.method("__init__")
    if init is None or init.self_name is None or not isinstance(item.node.body, cst.IndentedBlock):
        return None
    parameters = init.node.params
    every = [param for kind in _KINDS for param in getattr(parameters, kind)]
    plain = all(_is_constant(param.default) for param in every if param.default is not None)
    if not plain or isinstance(parameters.star_arg, cst.Param) or parameters.star_kwarg is not None:
        return None
    names = [param.name.value for param in (*parameters.posonly_params, *parameters.params)][1:]
    given = ", ".join([*names, *(f"{param.name.value}={param.name.value}" for param in parameters.kwonly_params)])
    made = quote_statement(f"def __init__({init.self_name}):\n    super().__init__({given})\n")
    new = parameters.deep_clone()
    bare = {kind: [param.with_changes(annotation=None) for param in getattr(new, kind)] for kind in _KINDS}
    return cst.ensure_type(made, cst.FunctionDef).with_changes(params=new.with_changes(**bare))


def _is_constant(node: cst.BaseExpression) -> bool:
    match node:
        case cst.Name(value=name):
            return name in ("None", "True", "False")
        case cst.UnaryOperation(expression=inner):
            return _is_constant(inner)
    return isinstance(node, (cst.Integer, cst.Float, cst.SimpleString))


def _ask_first(work: NormalizationRound, call: cst.Call, keys: frozenset[str]) -> None:
    """The call of each class of the program, where that is meant."""
    names = [_name_here(work, call, key) for key in sorted(keys)]
    kind, line = _variable(work, call)
    if kind is None or None in names:
        return
    if kind is not call.func:
        held = quote_statement("{kind} = {function}", kind=kind, function=work.copy(call.func))
        work.edits.before(line, always_statements([held]))

    def made(function: cst.BaseExpression) -> cst.BaseExpression:
        return work.copy(call).with_changes(func=function)

    found = made(kind.deep_clone())
    for name in reversed(names):
        own, test = made(cst.Name(str(name))), quote(f"{{kind}} is {name}", kind=kind.deep_clone())
        found = quote("{own} if {test} else {other}", own=own, test=test, other=found)
    work.edits.replace(call, lambda rewrite: found)


def _variable(work: NormalizationRound, call: cst.Call) -> tuple[cst.Name | None, cst.BaseStatement]:
    """The variable that is called, or a new one for what a line calls before it does anything else."""
    line = work.index.statement_of(call)
    if isinstance(call.func, cst.Name):
        return call.func, line
    match line:
        case cst.SimpleStatementLine(body=[cst.Assign(targets=[_], value=value)]) if value is call:
            return cst.Name(work.names_at(call)("kind")), line
    return None, line


def _name_here(work: NormalizationRound, call: cst.Call, key: str) -> str | None:
    """The name that a class has at a call."""
    function, hidden = work.program.function_around(call), set[str]()
    while function is not None:
        hidden |= function.env.keys()
        function = function.outer
    bound = work.program.module_env.items()
    known = (name for name, value in bound if value.kind is Kind.CLASS and value.types == {key})
    return next((name for name in known if name not in hidden), None)


__all__ = ["normalize_chosen_classes"]
