"""What a file of the program has, asked for by its name as text: its calls gain no key and no state.

REGISTRY.get(name)(3), where a decorator fills a table                                                    T2J609
getattr(models, name)(3)     models.__dict__[name](3)     vars(models)[name]     globals()[name](3)     T2J609
getattr(self, name)(x), where a method draws or keeps state                                                T2J609
partial(Block, width=3)(2), where a class of modules draws                                                 T2J609
kind = eval(name)            kind(3)                                                                    T2J609
build(models, name)          {"models": models}                                                        T2J609
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import libcst as cst

from torch2jax.facts.effects import Draw
from torch2jax.facts.infer import text_pattern
from torch2jax.facts.names_as_text import asked_of_file, calls_of_found, is_followed, looked_up, named_file
from torch2jax.facts.outside_callers import called_by_others
from torch2jax.ops.python import QUESTIONS
from torch2jax.plan.model import FunctionPlan
from torch2jax.program.calls import is_fixture
from torch2jax.program.definitions import How
from torch2jax.program.program import Class, Function, Program, dotted
from torch2jax.rewrite.unit import Unit
from torch2jax.syntax.codegen import code
from torch2jax.syntax.walk import descendants
from torch2jax.values import NOTHING, UNKNOWN, Kind, Value

_WRAPPING = frozenset({"functools.update_wrapper", "functools.wraps"})
_ASKING = QUESTIONS | {"dir", "getattr", "hasattr", "importlib.reload", "reload", "vars"}


def note_names_as_text(unit: Unit) -> None:
    """Tell where something is called, or handed on, of which nobody knows what its calls gain."""
    index = unit.facts.program.index
    for node in (*index.calls, *index.every(cst.Subscript)):
        asked = asked_of_file(unit.facts.program, unit.facts.values, node)
        if asked is None or _is_question(unit, node):
            continue
        mixed = _model_among_functions(unit, node)
        if mixed is not None:
            unit.problem(node, "T2J609", name=code(node), other=mixed)
            continue
        if _is_called_as_known(unit, node):
            continue
        module, text = asked
        name = unit.facts.values(text).const
        gaining = _gaining(unit, module, sorted(module.module_env) if name is NOTHING else [str(name)])
        if gaining is not None:
            unit.problem(node, "T2J609", name=code(node), other=gaining)
    _note_registered(unit)
    _note_partials(unit)
    _note_methods(unit)
    _note_called_by_others(unit)
    for name_node in index.names:
        is_handed_on = _is_handed_on(unit, name_node)
        file = named_file(unit.facts.program, unit.facts.values, name_node) if is_handed_on else None
        gaining = _gaining(unit, file, sorted(file.module_env)) if file is not None else None
        if gaining is not None and not is_followed(unit.facts.program, unit.facts.values, name_node):
            unit.problem(name_node, "T2J609", name=f"getattr({name_node.value}, ...)", other=gaining)


def _note_methods(unit: Unit) -> None:
    """`getattr(self, name)(x)`: which method of an object is called only its caller knows."""
    values, program = unit.facts.values, unit.facts.program
    for call in program.index.calls:
        if dotted(call.func) != "getattr" or len(call.args) < 2 or values(call).kind is not Kind.UNKNOWN:
            continue
        owner, name = (values(item.value) for item in call.args[:2])
        if not owner.is_a(Kind.MODULE, Kind.OBJECT) or isinstance(name.const, str):
            continue
        parent = program.index.parents[call]
        if (isinstance(parent, cst.Call) and parent.func is call) or _is_called_by_variable(unit, call):
            classes = [program.class_by_key[key] for key in sorted(owner.types) if key in program.class_by_key]
            methods = [method for item in classes for part in item.lineage for method in part.methods.values()]
            pattern = _pattern(unit, call.args[1].value) or ".*"
            asked = (item for item in methods if not item.name.startswith("__") and re.fullmatch(pattern, item.name))
            own = (item for item in asked if _is_changed(unit.plan.of(item)))
            gaining = next(own, None)
            if gaining is not None:
                unit.problem(call, "T2J609", name=code(call), other=gaining.name)


def _pattern(unit: Unit, name: cst.BaseExpression) -> str | None:
    """The pattern that a name given as text has, as far as it is written out: `stage.*` of `f"stage{i}"`."""
    bound = unit.facts.program.definitions.bound_once(name) if isinstance(name, cst.Name) else None
    if bound is not None and bound.how is How.ASSIGNED and bound.value is not None:
        name = bound.value
    return text_pattern(name, unit.facts.values(name))


def _note_registered(unit: Unit) -> None:
    """`MODELS[name](3)`, where classes and functions are put into `MODELS` by a decorator: nobody knows which it is. So it is
    with a variable that holds one of them on some way.
    """
    registered: dict[bool, str] = {}
    program, values = unit.facts.program, unit.facts.values
    for call in program.index.calls:
        if values(call.func).kind is not Kind.UNKNOWN:
            continue
        binds = _binds(unit, call)
        if isinstance(call.func, (cst.Subscript, cst.Call)):
            if binds not in registered:
                registered[binds] = next(_registered(unit, binds), "")
            if registered[binds] and not _is_something_else(unit, call):
                unit.problem(call, "T2J609", name=code(call.func), other=registered[binds])
        elif isinstance(call.func, cst.Name):
            given = [values(item.value) for item in program.definitions.of(call.func) if item.value is not None]
            held = [value.elem or UNKNOWN if value.kind is Kind.OBJECT else value for value in given]  # gone through
            classes = sorted(key for value in held if value.kind is Kind.CLASS for key in value.types)
            gaining = (key for key in classes if _gains(unit, Value(Kind.CLASS, types=frozenset({key})), binds))
            if (key := next(gaining, None)) is not None:
                unit.problem(call, "T2J609", name=call.func.value, other=program.class_by_key[key].name)


def _binds(unit: Unit, call: cst.Call) -> bool:
    """Whether a call that makes a module is what gives it its variables."""
    bound = unit.facts.effects.bound
    return bound is not None and not bound.is_inside(unit.facts.program, call)


def _is_something_else(unit: Unit, call: cst.Call) -> bool:
    """Whether a call of what nobody knows is none of a class or function that a decorator is given."""
    parent = unit.facts.program.index.parents.get(call)
    if isinstance(parent, (cst.Decorator, cst.Raise)):  # of a decorator `register("small")(Net)` is the other form
        return True
    is_kernel = isinstance(call.func, cst.Subscript) and unit.facts.values(call.func.value).kind is Kind.FUNCTION
    return is_kernel or _is_of_torch(unit, call.func)


def _note_called_by_others(unit: Unit) -> None:
    """Tests, and others that a library calls: it passes them no state, and gives tests the result of a fixture as it is."""
    program, values = unit.facts.program, unit.facts.values
    for function in program.functions.values():
        plan = unit.plan.of(function)
        takes = plan.state or any(plan.companions.values())
        gives = is_fixture(function) and any((plan.gives_state, plan.behind, plan.extras))
        if (takes or gives) and called_by_others(function, program, values) is not None:
            what = "takes more than they pass" if takes else "gives more than they take"
            unit.problem(function.node.name, "T2J200", name=f"{function.name}, which others call, and which {what},")


def _note_partials(unit: Unit) -> None:
    """`partial(Scaled, s=2)(3, 1)`: what is made of a class that has been given some arguments gets no key, and gives no state."""
    program, values = unit.facts.program, unit.facts.values
    for call in program.index.calls:
        match looked_up(program, call.func):
            case cst.Call(func=maker, args=[first, *_]) if values(maker).const == "functools.partial":
                made = values(first.value)
                names = [program.class_by_key[key].name for key in sorted(made.types) if key in program.class_by_key]
                if made.kind is Kind.CLASS and names and _gains(unit, made):
                    unit.problem(call, "T2J609", name=code(call.func), other=names[0])


def _registered(unit: Unit, binds: bool) -> Iterator[str]:
    """The classes and functions, whose calls gain something, that the program's own decorators are given, and the classes of
    which it puts a partial into a container.
    """
    program = unit.facts.program
    for call in program.index.calls:
        made = unit.facts.values(call.args[0].value) if call.args else UNKNOWN
        if made.kind is Kind.CLASS and unit.facts.values(call.func).const == "functools.partial":
            for key in sorted(made.types) if _is_put_away(unit, call) else ():
                if _gains(unit, Value(Kind.CLASS, types=frozenset({key})), binds):
                    yield program.class_by_key[key].name
    for cls in program.class_by_key.values():
        if _is_noted_by_base(cls) and _gains(unit, Value(Kind.CLASS, types=frozenset({cls.key})), binds):
            yield cls.name
    items: list[Class | Function] = [*program.class_by_key.values(), *program.by_key.values()]
    for item in items:
        value = Value(Kind.CLASS if isinstance(item, Class) else Kind.FUNCTION, types=frozenset({item.key}))
        for decorator in item.node.decorators:
            node = decorator.decorator
            given_to = unit.facts.values(node.func if isinstance(node, cst.Call) else node)
            if given_to.kind is Kind.FUNCTION and _gains(unit, value, binds) and _may_register(unit, given_to):
                yield item.name


def _is_noted_by_base(item: Class) -> bool:
    """Whether a class that this one derives from puts it away in its `__init_subclass__`."""
    noting = (base.methods.get("__init_subclass__") for base in item.lineage[1:])
    return any(method is not None and _puts_away(method) for method in noting)


def _is_put_away(unit: Unit, call: cst.Call) -> bool:
    """Whether what a call gives is stored in a container."""
    parent = unit.facts.program.index.parents[call]
    targets = [item.target for item in parent.targets] if isinstance(parent, cst.Assign) else []
    return isinstance(parent, cst.DictElement) or any(isinstance(target, cst.Subscript) for target in targets)


def _may_register(unit: Unit, decorator: Value) -> bool:
    """Whether a decorator may put what it is given where it can be asked for; one that only wraps it does not."""
    by_key = unit.facts.program.by_key
    functions = [by_key.get(key) for key in decorator.types]
    return not functions or any(item is None or _puts_away(item) for item in functions)


def _puts_away(function: Function) -> bool:
    """Whether a function stores a variable in a container or a field, or gives one to a method or function that may."""
    for node in descendants(function.node.body):
        match node:
            case cst.Assign(targets=targets, value=cst.Name()):
                if any(isinstance(target.target, cst.Subscript | cst.Attribute) for target in targets):
                    return True
            case cst.Call(func=cst.Attribute() as called, args=args) if dotted(called) not in _WRAPPING:
                if any(isinstance(item.value, cst.Name) for item in args):
                    return True
            case cst.DictElement(value=cst.Name()):
                return True
    return False


def _is_of_torch(unit: Unit, node: cst.BaseExpression) -> bool:
    """Whether something is asked of torch by its name: `getattr(nn, name)`."""
    asked = isinstance(node, cst.Call) and dotted(node.func) == "getattr" and bool(node.args)
    return asked and unit.facts.values.torch_name(node.args[0].value) is not None  # type: ignore[attr-defined]


def _gaining(unit: Unit, module: Program, names: Sequence[str]) -> str | None:
    """The first of some names in a file whose calls gain something."""
    return next((name for name in names if _gains(unit, module.module_env.get(name, UNKNOWN))), None)


def _is_handed_on(unit: Unit, node: cst.Name) -> bool:
    """Whether a name stands where other code gets what it holds, and may ask that for anything."""
    parents = unit.facts.program.index.parents
    holder = parents.get(node)
    if isinstance(holder, (cst.Element, cst.DictElement, cst.Return)):
        return True
    call = parents.get(holder) if isinstance(holder, cst.Arg) and holder.value is node else None
    return isinstance(call, cst.Call) and dotted(call.func) not in _ASKING


def _is_called_as_known(unit: Unit, node: cst.BaseExpression) -> bool:
    """Whether what is found is called, and each call gains what all gain that it may be, or what its signature asks for."""
    calls = calls_of_found(unit.facts.program, node)
    return calls is not None and all(_is_known(unit, call) for call in calls)


def _model_among_functions(unit: Unit, node: cst.BaseExpression) -> str | None:
    """A class of modules that is called where it may be a function as well: where modules are definitions, one that code makes
    gets its variables there, and what a function gives back has no such.
    """
    if unit.facts.target.setup is None:
        return None
    for call in calls_of_found(unit.facts.program, node) or ():
        types = sorted(unit.facts.values(call.func).types)
        classes = [unit.facts.program.class_by_key[key] for key in types if key in unit.facts.program.class_by_key]
        models = [item.name for item in classes if item.is_module]
        if models and len(classes) < len(types):
            return models[0]
    return None


def _is_known(unit: Unit, call: cst.Call) -> bool:
    program, value = unit.facts.program, unit.facts.values(call.func)
    if value.kind not in (Kind.CLASS, Kind.FUNCTION):
        return False
    classes = [program.class_by_key[key] for key in value.types if key in program.class_by_key]
    inits = [item.method("__init__") for item in classes]
    functions = [program.by_key[key] for key in value.types if key in program.by_key]
    draws = [item is not None and unit.plan.of(item).key is not Draw.NONE for item in (*inits, *functions)]
    return all(draws) or not any(draws) or call in unit.plan.by_signature


def _is_question(unit: Unit, node: cst.CSTNode) -> bool:
    """Whether something is asked of what is found; what `globals()` holds may be anything, and is a function where it is called."""
    parents = unit.facts.program.index.parents
    argument = parents[node]
    if isinstance(argument, cst.Call) and argument.func is node:
        return False
    if any(
        isinstance(item, cst.Call) and dotted(item.func) in ("eval", "globals") for item in (node, *descendants(node))
    ):
        return not _is_called_by_variable(unit, node)
    if isinstance(argument, (cst.Comparison, cst.ComparisonTarget, cst.Expr, cst.Attribute, cst.AssignTarget)):
        return True
    call = parents[argument] if isinstance(argument, cst.Arg) else None
    return isinstance(call, cst.Call) and dotted(call.func) in QUESTIONS


def _is_called_by_variable(unit: Unit, node: cst.CSTNode) -> bool:
    """Whether what is found is bound to a variable, perhaps in one of several cases, that is called in the same function."""
    program = unit.facts.program
    parent = program.index.parents[node]
    while isinstance(parent, cst.IfExp):
        parent = program.index.parents[parent]
    names = {item.target.value for item in getattr(parent, "targets", ()) if isinstance(item.target, cst.Name)}
    function = program.function_around(node)
    return any(
        isinstance(call.func, cst.Name) and call.func.value in names and program.function_around(call) is function
        for call in program.index.calls
    )


def _gains(unit: Unit, value: Value, binds: bool = False) -> bool:
    """Whether calls of a function or class of the program gain something; modules do where these calls bind them."""
    program = unit.facts.program
    if value.kind is Kind.FUNCTION:
        found = [program.by_key[key] for key in value.types if key in program.by_key]
        return any(_is_changed(unit.plan.of(item)) for item in found)
    if value.kind is not Kind.CLASS:
        return False
    for item in (program.class_by_key[key] for key in value.types if key in program.class_by_key):
        init = item.method("__init__")
        if (
            (binds and item.is_module)
            or unit.facts.effects.class_is_stateful(item)
            or (init is not None and _is_changed(unit.plan.of(init)))
        ):
            return True
    return False


def _is_changed(plan: FunctionPlan) -> bool:
    gained = (plan.state, plan.companions, plan.extras, plan.behind, plan.outer_names, plan.enclosing_names)
    return plan.key is not Draw.NONE or any(gained)
