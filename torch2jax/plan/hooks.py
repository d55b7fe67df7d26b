"""When the hooks of modules run that steps of training call: behind a step, with the values that it has computed, or within
it, where the hook changes what the module gives, or where the step reads what the hook keeps.

model.conv.register_forward_hook(note)                           behind
model.conv.register_forward_hook(lambda m, i, o: 2 * o)          within

A hook within a step is traced with it. What it keeps has no values outside of the step, so nobody else may read it.
"""

from __future__ import annotations

import builtins
from collections.abc import Iterable

import libcst as cst

from torch2jax.facts.captures import code_of
from torch2jax.facts.compiled import find_obstacle
from torch2jax.facts.hooks import Hook, attached_during, hook_calls, hook_functions, takes_hooks
from torch2jax.ops.modules import BACKWARD_HOOKS, MODULE_HOOKS
from torch2jax.plan.model import Facts, Plan
from torch2jax.program.calls import arguments_by_parameter
from torch2jax.program.definitions import targets
from torch2jax.program.flow import free_variables
from torch2jax.program.program import dotted
from torch2jax.syntax.codegen import code
from torch2jax.syntax.walk import descendants, own_nodes
from torch2jax.values import Kind

_NO_PLACES = (Kind.FUNCTION, Kind.TORCH, Kind.CLASS, Kind.MODULE)
_MUTATORS = frozenset({"append", "extend", "update", "add", "insert", "clear", "__setitem__"})


def plan_hooks(facts: Facts, plan: Plan) -> None:
    """Decide for each hook of a file whose steps may run it."""
    if not takes_hooks(facts.program) or not facts.steps:
        return
    for call in hook_calls(facts.program):
        if _is_gone_by_then(facts, call):
            continue
        functions = hook_functions(facts.program, call.args[0].value) if call.args else []
        kept = _with_aliases(facts, {name for hook in functions for name in _places(facts, hook)})
        gives = any(_gives(facts, hook) for hook in functions)
        acts = any(_acts(facts, hook) for hook in functions)
        inside = [node for step in facts.steps for root, _ in code_of(step.region, facts.values) for node in _all(root)]
        is_read = _mentions(inside, kept)
        outside = _outside(facts, {*inside, *(node for hook in functions for node in _all(hook))})
        moved = [node for step in facts.steps for line in (*step.ahead, *step.after) for node in _all(line)]
        sees_gradients = cst.ensure_type(call.func, cst.Attribute).attr.value in BACKWARD_HOOKS
        is_hindered = any(step.carries or step.carried for step in facts.steps) or (gives and acts)
        is_hindered = is_hindered or (sees_gradients and (gives or is_read))
        if is_hindered or _mentions(moved, kept) or (is_read and _mentions(outside, kept)):
            plan.problem(call, "T2J602", name=code(call.func))
        elif is_read or gives:
            plan.hooks_within.add(call)
            plan.is_kept_within |= is_read


def _is_gone_by_then(facts: Facts, call: cst.Call) -> bool:
    """Whether a hook is attached while no step runs, since it is removed in time."""
    spans = attached_during(facts.program, call)
    code = [node for lines in spans or () for root, _ in code_of(lines, facts.values) for node in _all(root)]
    return spans is not None and not any(step.backward_statement in code for step in facts.steps)


def _gives(facts: Facts, hook: Hook) -> bool:
    """Whether a hook may give something back."""
    if isinstance(hook, cst.Lambda):
        body = hook.body
        is_change = (
            isinstance(body, cst.Call) and isinstance(body.func, cst.Attribute) and body.func.attr.value in _MUTATORS
        )
        return (
            not is_change
            and facts.values(body).kind is not Kind.NONE
            and dotted(getattr(body, "func", body)) != "print"
        )
    own = [node for node in descendants(hook.body) if isinstance(node, cst.Return)]
    return any(node.value is not None and dotted(node.value) != "None" for node in own)


def _acts(facts: Facts, hook: Hook) -> bool:
    """Whether a hook may change something around it, or look at the values of tensors."""
    places = _places(facts, hook)
    methods = [call.func.value for call in descendants(hook.body, cst.Call) if isinstance(call.func, cst.Attribute)]
    receivers = [node for node in methods if facts.values(node).kind is not Kind.TENSOR]
    calls = any(_mentions(_all(node), places) for node in receivers)
    return calls or find_obstacle([hook.body], facts.values) is not None


def _places(facts: Facts, hook: Hook) -> set[str]:
    """What a hook names of the variables around it, and of the fields of its object: all that it may keep something in."""
    program, around = facts.program, facts.program.function_around(hook)
    selves = {"self"} if around is None else set()
    function = program.functions.get(hook) if isinstance(hook, cst.FunctionDef) else around
    while function is not None:
        selves |= {function.self_name} if function.self_name is not None else set()
        function = function.outer
    free = set(free_variables(hook)) - set(dir(builtins)) - selves
    found = set[str]()
    for node in _all(hook):
        if isinstance(node, cst.Attribute) and dotted(node.value) in selves:
            found.add(node.attr.value)
        elif isinstance(node, cst.NameItem):
            found.add(node.name.value)
        elif isinstance(node, cst.Name) and node.value in free and facts.values(node).kind not in _NO_PLACES:
            found.add(node.value)
        elif isinstance(node, cst.Name) and node.value == "print":
            found.add("print")
    return found


def _with_aliases(facts: Facts, names: set[str]) -> set[str]:
    """These names, those that are bound to what they hold, the arguments that they stand for, and the functions that give it."""
    program, size = facts.program, -1
    while len(names) != size:
        size = len(names)
        for node in program.index.every(cst.Assign):
            held = node.value.func if isinstance(node.value, cst.Call) else node.value
            if dotted(held) is not None and _mentions(_all(held), names):
                names |= {_last(item.target) for item in node.targets}
            elif isinstance(node.value, cst.Subscript) and any(_last(item.target) in names for item in node.targets):
                names |= {item.value for item in descendants(node.value.value, cst.Name)}
        for function in program.functions.values():
            for call in function.callers:
                if isinstance(call, cst.Call):
                    given = arguments_by_parameter(function, call, facts.values)
                    names |= {_last(value) for name, value in given if name in names}
            returned = [node for node in own_nodes(function.node) if isinstance(node, cst.Return)]
            if any(dotted(node.value) is not None and _last(node.value) in names for node in returned if node.value):
                names.add(function.name)
        names.discard("")
    return names


def _last(node: cst.BaseExpression) -> str:
    """The last part of a dotted name; nothing for another expression."""
    return (dotted(node) or "").rpartition(".")[2]


def _mentions(nodes: Iterable[cst.CSTNode], names: set[str]) -> bool:
    return any(isinstance(node, cst.Name) and node.value in names for node in nodes)


def _outside(facts: Facts, inside: set[cst.CSTNode]) -> list[cst.CSTNode]:
    """All code of a file that is not `inside`, but for what makes something new or empties it, and the attaching of hooks."""
    index, passed = facts.program.index, set(inside)
    for node in index.every(cst.Assign):
        for item in node.targets:
            passed |= {name for _, name, _, value in targets(item.target, node.value) if value and _is_empty(value)}
            passed |= set(_all(item.target)) if _is_empty(node.value) else set()
    for call in index.calls:
        is_clear = isinstance(call.func, cst.Attribute) and call.func.attr.value in ("clear", *MODULE_HOOKS)
        passed |= set(_all(call)) if is_clear else set()
    return [
        node
        for node in descendants(index.module)
        if node not in passed and not isinstance(index.parents.get(node), cst.Param)
    ]


def _is_empty(value: cst.BaseExpression) -> bool:
    """Whether a value is None, or a new container that holds nothing of a variable."""
    is_new = isinstance(value, (cst.List, cst.Dict)) and not list(descendants(value, cst.Name))
    return is_new or dotted(value) == "None"


def _all(node: cst.CSTNode) -> list[cst.CSTNode]:
    return [node, *descendants(node)]
