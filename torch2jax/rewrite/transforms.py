"""Function transforms: what functions with a gradient of their own may not do, and calls that compute values again.

checkpoint(self.block, x)   ->   eqx.filter_checkpoint(self.block)(x)
"""

from __future__ import annotations

from functools import partial

import libcst as cst

from torch2jax.facts.compiled import may_be_differentiated
from torch2jax.facts.effects import Draw
from torch2jax.facts.infer import STRUCTURED, TRANSFORMS, is_differentiated_lambda, structured
from torch2jax.facts.leaks import leaked_tensors
from torch2jax.facts.object_changes import object_changes
from torch2jax.program.layout import joined
from torch2jax.program.program import Function, dotted, imported_module
from torch2jax.rewrite.unit import Unit
from torch2jax.syntax.codegen import code
from torch2jax.syntax.edits import Build, Rewriter
from torch2jax.syntax.quote import names_in, quote
from torch2jax.values import Kind

_OWN_GRADIENT = ("jax.custom_vjp", "partial(jax.custom_vjp")


def rewrite_transforms(unit: Unit) -> None:
    """Say which functions with a gradient of their own draw random numbers or keep state."""
    for function in unit.facts.program.functions.values():
        if any(decorator.startswith(_OWN_GRADIENT) for decorator in function.decorators):
            for name in (function.name, f"{function.name}_fwd", f"{function.name}_bwd"):
                half = unit.facts.program.by_key.get(function.key[: -len(function.name)] + name)
                if half is not None:
                    _check_half(unit, half)
    for call in unit.facts.program.index.calls:
        if unit.facts.values.torch_name(call.func) in TRANSFORMS and call.args:
            _check_transformed(unit, call.args[0].value)
        short = structured(call) or _structured_name(unit, call)
        for argument in call.args[_FUNCTIONS_OF[short]] if short in _FUNCTIONS_OF else ():
            _check_transformed(unit, argument.value)
    _check_imported(unit)
    _check_leaks(unit)
    for node in unit.facts.program.index.every(cst.SimpleStatementLine):
        if _only_marks(unit, node):
            unit.edits.remove(node)
            unit.settle(node)


_FUNCTIONS_OF = {"cond": slice(1, 3), "while_loop": slice(0, 2), "scan": slice(0, 1), "associative_scan": slice(0, 1)}


def _structured_name(unit: Unit, call: cst.Call) -> str | None:
    name = unit.facts.values.torch_name(call.func)
    return name.rpartition(".")[2] if name in STRUCTURED else None


def _check_imported(unit: Unit) -> None:
    """A class with a gradient of its own is a function of another name in the translation of its file."""
    program = unit.facts.program
    missing: set[str] = set()
    for node in program.index.imports:
        if not isinstance(node, cst.ImportFrom) or isinstance(node.names, cst.ImportStar):
            continue
        (base,) = imported_module(node)
        module = program.module_asked(base)
        for alias in node.names if module is not None else ():
            name = dotted(alias.name) or ""
            if module is not None and name not in module.module_env and joined(base, name) not in program.asked:
                missing.add(dotted(alias.asname.name if alias.asname else alias.name) or "")
    for call in program.index.calls:
        root, _, method = (dotted(call.func) or "").rpartition(".")
        if method == "apply" and root in missing:
            reason = ": it becomes a function in the translation of its file: import a function that applies it"
            unit.problem(call, "T2J200", name=f"{root}.apply", hint=reason)


def _check_leaks(unit: Unit) -> None:
    """What a loss function stores somewhere are values of its trace, which nobody can use behind it."""
    for step in unit.facts.steps:
        if step.problem is not None:
            continue
        for stored, name in leaked_tensors([*step.forward, step.loss], unit.facts.values):
            reason = f"`{name}` gets `{code(stored)}` while it is differentiated: return it instead, or `.detach()` it"
            unit.problem(stored, "T2J500", reason=reason)


def _check_transformed(unit: Unit, argument: cst.BaseExpression) -> None:
    """A function that a transform calls is given what the transform is given, and no key or state."""
    effects, value = unit.facts.effects, unit.facts.values(argument)
    for key in sorted(value.types):
        function = unit.facts.program.by_key.get(key)
        if function is None:
            continue
        summary = effects.of(function)
        if summary.draw is not Draw.NONE:
            unit.problem(argument, "T2J400", name=function.name, place="a function that a transform calls")
        elif summary.state or object_changes(unit.facts.values).of(function):
            unit.problem(argument, "T2J302", name=function.name, operation="a transform")
    if value.kind is Kind.MODULE:
        if effects.is_stateful(value) or any(_draws(unit, key) for key in value.types):
            unit.problem(argument, "T2J400", name=code(argument), place="a module that a transform calls")


def _draws(unit: Unit, key: str) -> bool:
    item = unit.facts.program.class_by_key.get(key)
    forward = item.method("forward") if item is not None else None
    layer = unit.facts.tables.layers.get(key)
    if layer is not None:
        return any(effect.startswith("rng") for effect in layer.effects)
    return forward is not None and unit.facts.effects.of(forward).draw is not Draw.NONE


def _only_marks(unit: Unit, line: cst.SimpleStatementLine) -> bool:
    """Whether a statement says no more than that gradients of a variable will be asked for."""
    match line.body:
        case [cst.Expr(value=cst.Call(func=cst.Attribute(value=cst.Name() as name, attr=cst.Name("requires_grad_"))))]:
            pass
        case [
            cst.Assign(
                targets=[
                    cst.AssignTarget(target=cst.Attribute(value=cst.Name() as name, attr=cst.Name("requires_grad")))
                ],
                value=cst.Name("True"),
            )
        ] if not unit.facts.freezing.statements:
            pass
        case _:
            return False
    alone = len(getattr(unit.facts.program.index.parents[line], "body", ())) == 1
    return unit.facts.values(name).kind is Kind.TENSOR and line not in unit.edits.statements and not alone


def _check_half(unit: Unit, half: Function) -> None:
    summary = unit.facts.effects.of(half)
    if summary.draw is not Draw.NONE:
        unit.problem(half.node, "T2J400", name=half.name, place="a function with a gradient of its own")
    elif summary.state or object_changes(unit.facts.values).of(half):
        unit.problem(half.node, "T2J302", name=half.name, operation="a function with a gradient of its own")


def rewrite_lambdas(unit: Unit) -> None:
    """`jax.vjp(lambda x: f(x), x)` is `jax.vjp(f, x)` where the call of `f` has gained nothing."""
    for call in unit.facts.program.index.calls:
        if not is_differentiated_lambda(call):
            continue
        made = call.args[0].value
        assert isinstance(made, cst.Lambda)
        build = unit.edits.nodes.get(made)
        unit.edits.replace(made, partial(_shortened, made, build), override=True)


def _shortened(function: cst.Lambda, build: Build | None, rewrite: Rewriter) -> cst.CSTNode:
    made = build(rewrite) if build is not None else rewrite.inside(function)
    names = [param.name.value for param in function.params.params]
    if not isinstance(made, cst.Lambda) or not isinstance(made.body, cst.Call):
        return made
    called = made.body
    given = [dotted(argument.value) for argument in called.args if argument.keyword is None and not argument.star]
    if given != names or len(given) != len(called.args) or set(names) & names_in(called.func):
        return made
    return called.func


def rewrite_checkpoints(unit: Unit) -> None:
    """Wrap what is called where its intermediate values are computed again in the backward pass."""
    wrapper = unit.facts.target.checkpoint
    if wrapper is None:
        return
    for call in unit.checkpoints:
        assert isinstance(call, cst.Call)
        if _changes_objects(unit, call):
            continue
        build = unit.edits.nodes.get(call)
        unit.edits.replace(call, partial(_wrapped, call, build, wrapper), override=True)


def _changes_objects(unit: Unit, call: cst.Call) -> bool:
    """Whether computing a call again would change objects once more: then it is not, and where torch would do it that is said."""
    changes = object_changes(unit.facts.values).within([call])
    if changes and may_be_differentiated(unit.facts.program):
        hint = f": it changes `{changes[0].variable.name}`, and would do so again in the backward pass"
        unit.problem(call, "T2J200", name=code(call.func), hint=hint)
    return bool(changes)


def _wrapped(call: cst.CSTNode, build: Build | None, wrapper: str, rewrite: Rewriter) -> cst.CSTNode:
    made = build(rewrite) if build is not None else rewrite.inside(call)
    if not isinstance(made, cst.Call):
        return made
    return made.with_changes(func=quote(f"{wrapper}({{function}})", function=made.func))
