"""Function transforms: what functions with a gradient of their own may not do, and calls that compute values again.

checkpoint(self.block, x)   ->   eqx.filter_checkpoint(self.block)(x)
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import libcst as cst

from torch2jax.facts.captures import code_of
from torch2jax.facts.compiled import may_be_differentiated
from torch2jax.facts.effects import Draw
from torch2jax.facts.infer import STRUCTURED, TRANSFORMS, Values, is_differentiated_lambda, structured
from torch2jax.facts.leaks import leaked_tensors
from torch2jax.facts.object_changes import object_changes
from torch2jax.lower_control.custom_gradients import has_own_gradient
from torch2jax.program.layout import joined
from torch2jax.program.program import Function, dotted, imported_module
from torch2jax.rewrite.unit import Unit
from torch2jax.syntax.codegen import code
from torch2jax.syntax.edits import Build, Rewriter, always
from torch2jax.syntax.fresh import FreshNames
from torch2jax.syntax.quote import names_in, quote
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind

_EQUAL = cst.AssignEqual(cst.SimpleWhitespace(""), cst.SimpleWhitespace(""))


def rewrite_transforms(unit: Unit) -> None:
    """Say which functions with a gradient of their own draw random numbers or keep state."""
    for function in unit.facts.program.functions.values():
        if has_own_gradient(function):
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
        by_modules = _is_by_modules(unit, call)
        takes_models = by_modules or unit.facts.target.input_pullback is not None
        is_fixed = unit.facts.target.immutable or not takes_models
        models = _taken_models(unit, call, made, by_modules) if not is_fixed else []
        if by_modules and not models:
            name = cst.parse_expression(unit.spell("module_vjp"))
            unit.edits.replace(call, partial(_with_function, call, unit.edits.nodes.get(call), name))
        unit.edits.replace(made, partial(_shortened, made, build, models), override=True)


def _is_by_modules(unit: Unit, call: cst.Call) -> bool:
    """Whether a function is differentiated by the parameters of modules, of which none may be frozen."""
    given = [argument.value for argument in call.args[1:] if argument.keyword is None]
    modules = [node for node in given if unit.facts.values(node).kind is Kind.MODULE]
    if not modules:
        if _lists_parameters(unit, call):
            unit.problem(call, "T2J200", name="autograd.grad", hint=": nothing says of which class its module is")
        return False
    if len(modules) < len(given):
        unit.problem(call, "T2J200", name="autograd.grad", hint=": its inputs are parameters of modules and others")
    frozen = unit.facts.effects.frozen
    for node in modules:
        is_told = not unit.facts.values(node).types.isdisjoint(frozen) or unit.facts.freezing.statements
        if is_told or _makes_frozen(unit):
            unit.problem(node, "T2J200", name="autograd.grad", hint=": parameters of its modules may be frozen")
    return True


def _lists_parameters(unit: Unit, call: cst.Call) -> bool:
    """Whether the gradient of what a call differentiates by is asked for parameters: `loss_vjp(start)[0].parameters()`."""
    match unit.facts.program.index.parents[call]:
        case cst.Assign(targets=[cst.AssignTarget(target=cst.Tuple(elements=[_, given, *_]))]):
            name = dotted(given.value)
        case _:
            return False
    for node in unit.facts.program.index.attributes:
        match node:
            case cst.Attribute(value=cst.Subscript(value=cst.Call(func=asked)), attr=cst.Name("parameters")):
                if dotted(asked) == name:
                    return True
    return False


def _makes_frozen(unit: Unit) -> bool:
    """Whether the program makes parameters that are not trained: `nn.Parameter(x, requires_grad=False)`."""
    for file in unit.facts.program.files:
        for call in file.index.calls:
            name = (dotted(call.func) or "").split(".")[-1]
            flags = {item.keyword.value: code(item.value) for item in call.args if item.keyword is not None}
            if name == "Parameter" and (
                flags.get("requires_grad", "True") != "True" or (len(call.args) > 1 and not flags)
            ):
                return True
            if name == "from_pretrained" and flags.get("freeze") != "False":
                return True
    return False


def _with_function(call: cst.Call, build: Build | None, name: cst.BaseExpression, rewrite: Rewriter) -> cst.CSTNode:
    made = build(rewrite) if build is not None else rewrite.inside(call)
    assert isinstance(made, cst.Call)
    return made.with_changes(func=name)


def _taken_models(unit: Unit, call: cst.Call, made: cst.Lambda, by_modules: bool) -> list[str]:
    """Let a differentiated function that calls models which may change take them as its first parameters: their names."""
    index, values, called = unit.facts.program.index, unit.facts.values, dotted(getattr(made.body, "func", made.body))
    around = index.function_of(call) or index.module
    local = [item for item in descendants(around) if isinstance(item, cst.FunctionDef) and item.name.value == called]
    uses = [item for item in index.names if item.value == called and index.parents[item] not in local]
    local = local if len(uses) == 1 else []  # others call it, too
    inside = [made.body, *(item.body for item in local)]
    own = {param.name.value for params in [made.params, *(item.params for item in local)] for param in params.params}
    places = _model_places([node for body in inside for node in descendants(body)], own, values)
    if not any(_may_change(unit, node) for nodes in places.values() for node in nodes):
        return []
    fresh = FreshNames(item.value for item in index.names if not index.is_label(item))
    names = {place: place if "." not in place else fresh(place.rpartition(".")[2]) for place in places}
    given = [(nodes[0], unit.edits.nodes.get(nodes[0])) for nodes in places.values()]
    for place, nodes in places.items():
        for node in nodes if names[place] != place else ():
            unit.edits.replace(node, always(cst.Name(names[place])), override=True)
    for item in local:
        unit.edits.replace(item.params, partial(_with_leading, item.params, list(names.values())))
    if local:
        unit.edits.replace(made.body, partial(_called_with, made.body, list(names.values())))
    unit.edits.replace(call, partial(_given_models, unit, call, given, by_modules))
    return list(names.values())


def _model_places(nodes: Sequence[cst.CSTNode], own: set[str], values: Values) -> dict[str, list[cst.BaseExpression]]:
    """The models that are read among nodes, each by its shortest name: of `self.net.head` the model `self`, or `self.net`."""
    found: dict[str, list[cst.BaseExpression]] = {}
    parts: set[cst.CSTNode] = set()
    for node in nodes:  # outer ones first
        if not isinstance(node, (cst.Name, cst.Attribute)) or node in parts or dotted(node) is None:
            continue
        chain: list[cst.BaseExpression] = [node]
        while isinstance(chain[-1], cst.Attribute):
            parts |= {chain[-1].attr, chain[-1].value}
            chain.append(chain[-1].value)
        place = next((item for item in reversed(chain) if values(item).kind is Kind.MODULE), None)
        if place is not None and (dotted(chain[-1]) or "") not in own:
            found.setdefault(dotted(place) or "", []).append(place)
    return found


def _may_change(unit: Unit, node: cst.BaseExpression) -> bool:
    """Whether a module keeps state or draws, as far as is known."""
    effects, value = unit.facts.effects, unit.facts.values(node)
    return effects.is_stateful(value) or effects.module_draw(value) is not Draw.NONE


def _given_models(
    unit: Unit,
    call: cst.Call,
    models: Sequence[tuple[cst.BaseExpression, Build | None]],
    by_modules: bool,
    rewrite: Rewriter,
) -> cst.CSTNode:
    """`jax.vjp(f, x)` -> `input_pullback(f, (model,), x)`; by modules `module_vjp(f, net, others=(model,))`."""
    made = rewrite.inside(call)
    assert isinstance(made, cst.Call)
    given = [build(rewrite) if build is not None else rewrite.inside(model) for model, build in models]
    own = [cst.Element(model) for model in given if isinstance(model, cst.BaseExpression)]
    if by_modules:
        return made.with_changes(
            func=cst.parse_expression(unit.spell("module_vjp")),
            args=[*made.args, cst.Arg(cst.Tuple(own), keyword=cst.Name("others"), equal=_EQUAL)],
        )
    name = cst.parse_expression(unit.spell(str(unit.facts.target.input_pullback)))
    return made.with_changes(func=name, args=[made.args[0], cst.Arg(cst.Tuple(own)), *made.args[1:]])


def _with_leading(params: cst.Parameters, names: Sequence[str], rewrite: Rewriter) -> cst.CSTNode:
    made = rewrite.inside(params)
    assert isinstance(made, cst.Parameters)
    return made.with_changes(params=[*(cst.Param(cst.Name(name)) for name in names), *made.params])


def _called_with(call: cst.BaseExpression, names: Sequence[str], rewrite: Rewriter) -> cst.CSTNode:
    made = rewrite.inside(call)
    assert isinstance(made, cst.Call)
    return made.with_changes(args=[*(cst.Arg(cst.Name(name)) for name in names), *made.args])


def _shortened(function: cst.Lambda, build: Build | None, models: Sequence[str], rewrite: Rewriter) -> cst.CSTNode:
    made = build(rewrite) if build is not None else rewrite.inside(function)
    if not isinstance(made, cst.Lambda):
        return made
    names = [*models, *(param.name.value for param in function.params.params)]
    if models:
        params = [*(cst.Param(cst.Name(name)) for name in models), *made.params.params]
        made = made.with_changes(params=made.params.with_changes(params=params))
    if not isinstance(made.body, cst.Call):
        return made
    called = made.body
    given = [dotted(argument.value) for argument in called.args if argument.keyword is None and not argument.star]
    if given != names or len(given) != len(called.args) or set(names) & names_in(called.func):
        return made
    return called.func


def rewrite_checkpoints(unit: Unit) -> None:
    """Wrap what is called where its intermediate values are computed again in the backward pass."""
    wrapper = unit.facts.target.checkpoint
    for call in unit.checkpoints:
        assert isinstance(call, cst.Call)
        changes = _changes_objects(unit, call)
        _check_state(unit, call)
        if changes or wrapper is None:
            continue
        build = unit.edits.nodes.get(call)
        unit.edits.replace(call, partial(_wrapped, call, build, unit.spell(f"{wrapper}({{function}})")), override=True)


def _changes_objects(unit: Unit, call: cst.Call) -> bool:
    """Whether computing a call again would change objects once more: then it is not, and where torch would do it that is said."""
    changes = object_changes(unit.facts.values).within([call])
    if changes and may_be_differentiated(unit.facts.program):
        hint = f": it changes `{changes[0].variable.name}`, and would do so again in the backward pass"
        unit.problem(call, "T2J200", name=code(call.func), hint=hint)
    return bool(changes)


def _check_state(unit: Unit, call: cst.Call) -> None:
    """Say where a layer with state runs: torch takes its statistics a second time when it computes the call again."""
    values = unit.facts.values
    running = (node for part, _ in code_of([call], values) for node in descendants(part, cst.Call))
    for inner in running:
        if values(inner.func).kind is Kind.MODULE and unit.facts.effects.is_stateful(values(inner.func)):
            hint = f": it changes the state of `{code(inner.func)}`, and would do so again in the backward pass"
            unit.problem(call, "T2J200", name=code(call.func), hint=hint)
            return


def _wrapped(call: cst.CSTNode, build: Build | None, wrapper: str, rewrite: Rewriter) -> cst.CSTNode:
    made = build(rewrite) if build is not None else rewrite.inside(call)
    if not isinstance(made, cst.Call):
        return made
    return made.with_changes(func=quote(wrapper, function=made.func))
