"""What a file of the program has, asked for by its name as text: `getattr(models, name)`, `models.__dict__[name]`,
`vars(models)[name]`, `globals()[name]`, `eval(name)`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

import libcst as cst

from torch2jax.program.program import Class, Function, Program, dotted
from torch2jax.syntax.walk import own_nodes
from torch2jax.values import LOCAL, Kind, Value, files_of

Values = Callable[[cst.CSTNode], Value]
_PLAIN = frozenset({Kind.INT, Kind.FLOAT, Kind.BOOL, Kind.STR})


def asked_of_file(program: Program, values: Values, node: cst.CSTNode) -> tuple[Program, cst.BaseExpression] | None:
    """The file of which something is asked, and the name."""
    match node:
        case cst.Call(func=cst.Name("getattr"), args=[holder, text, *others]) if len(others) < 2:
            module = named_file(program, values, holder.value)
        case cst.Call(func=cst.Attribute(value=holder, attr=cst.Name("get")), args=[text, *_]):
            module = _namespace(program, values, holder)
        case cst.Subscript(value=holder, slice=[cst.SubscriptElement(slice=cst.Index() as text)]):
            module = _namespace(program, values, holder)
        case cst.Call(func=cst.Name("eval"), args=[text]):
            module = program
        case _:
            return None
    return None if module is None else (module, text.value)


def looked_up(program: Program, function: cst.BaseExpression) -> cst.BaseExpression:
    """What a call runs: `models.__dict__[name]`, or `partial(Net, 3)`, where a variable that is given this is called."""
    found = program.definitions.only(function) if isinstance(function, cst.Name) else None
    return function if found is None or found.value is None else found.value


def calls_of_found(program: Program, found: cst.BaseExpression) -> list[cst.Call] | None:
    """The calls of what is found under a name: at once, or by the variable that is given it and is used for nothing else."""
    parent = program.index.parents[found]
    if isinstance(parent, cst.Call) and parent.func is found:
        return [parent]
    target = parent.targets[0].target if isinstance(parent, cst.Assign) and len(parent.targets) == 1 else None
    if not isinstance(target, cst.Name):
        return None
    uses = program.definitions.uses_at(target)
    calls = [program.index.parents[use] for use in uses]
    if not all(isinstance(call, cst.Call) and call.func is use for call, use in zip(calls, uses, strict=True)):
        return None
    is_one = all(looked_up(program, use) is found for use in uses)
    return calls if uses and is_one else None  # type: ignore[return-value]


def named_file(program: Program, values: Values, node: cst.BaseExpression) -> Program | None:
    """The file of the program that an expression stands for."""
    value = values(node)
    if value.kind is not Kind.PYTHON or not isinstance(value.const, str) or not value.const.startswith(LOCAL):
        return None
    return module_of(program, value.const)


def module_of(program: Program, file: str) -> Program | None:
    """The file of the program that a value names in its `const`."""
    place = file.removeprefix(LOCAL).partition("\n")[0]
    return program if place == program.prefix else program.modules.get(place)


def is_own_file(node: cst.Subscript) -> bool:
    """Whether something is `sys.modules[__name__]`."""
    match node:
        case cst.Subscript(value=table, slice=[cst.SubscriptElement(slice=cst.Index(value=cst.Name("__name__")))]):
            return dotted(table) == "sys.modules"
    return False


def _namespace(program: Program, values: Values, node: cst.BaseExpression) -> Program | None:
    """The file whose names a dictionary holds."""
    match node:
        case cst.Attribute(value=holder, attr=cst.Name("__dict__")):
            return named_file(program, values, holder)
        case cst.Call(func=cst.Name("vars"), args=[holder]):
            return named_file(program, values, holder.value)
        case cst.Call(func=cst.Name("globals"), args=[]):
            return program
    return None


def that_take(program: Program, file: Program, call: cst.Call, values: Values) -> list[Value]:
    """The functions and classes of the program, by their names in a file, that may be called so: torch refuses all others."""
    found, around = [], program.function_around(call)
    for value in file.module_env.values():
        if value.kind not in (Kind.FUNCTION, Kind.CLASS) or not value.types:
            continue
        items = [program.class_by_key.get(key) or program.by_key.get(key) for key in sorted(value.types)]
        if around in items:
            continue  # no function finds itself
        if all(item is not None and _may_take(program, item, call, values) for item in items):
            found.append(value)
    return found


def of_pattern(file: Program, pattern: str) -> list[Value]:
    """The functions and classes of the program whose names in a file have a pattern: `.*Net` of `eval(f"{kind}Net")`."""
    known = file.module_env.items()
    found = (value for name, value in known if re.fullmatch(pattern, name))
    return [value for value in found if value.kind in (Kind.FUNCTION, Kind.CLASS) and value.types]


def _gives_nothing(function: Function) -> bool:
    """Whether a function gives None alone: what is found under a name is none such, where its result is used."""
    return not any(
        isinstance(node, cst.Yield) or (isinstance(node, cst.Return) and node.value is not None)
        for node in own_nodes(function.node)
    )


def _may_take(program: Program, item: Class | Function, call: cst.Call, values: Values) -> bool:
    """Whether the arguments of a call fit the parameters of a function, or of what makes an object."""
    function = item.method("__init__") if isinstance(item, Class) else item
    if function is None:
        return not call.args or not isinstance(item, Class) or not item.is_module
    if item is function and not isinstance(program.index.parents.get(call), cst.Expr) and _gives_nothing(function):
        return False
    params = function.node.params
    own = [*params.posonly_params, *params.params][1 if function.is_method else 0 :]
    given = [argument for argument in call.args if not argument.star]
    is_open = len(given) < len(call.args)
    positional = sum(argument.keyword is None for argument in given)
    named = {argument.keyword.value for argument in given if argument.keyword is not None}
    if positional > len(own) and not isinstance(params.star_arg, cst.Param):
        return False
    names = {param.name.value for param in (*own[positional:], *params.kwonly_params)}
    if named - names and params.star_kwarg is None:
        return False
    needed = {param.name.value for param in (*own[positional:], *params.kwonly_params) if param.default is None}
    return (is_open or needed <= named) and not _wants_modules(function, own, given, values)


def _wants_modules(function: Function, own: Sequence[cst.Param], given: Sequence[cst.Arg], values: Values) -> bool:
    """Whether a number or text is given for what is a module in all other calls."""
    for param, argument in zip(own, given, strict=False):
        known = function.env.get(param.name.value) if argument.keyword is None else None
        if known is not None and known.kind is Kind.MODULE and values(argument.value).kind in _PLAIN:
            return True
    return False


def is_followed(program: Program, values: Values, name: cst.Name) -> bool:
    """Whether a file is an entry of a table, `{"small": small, "large": large}`, of which only entries are read, and of these only
    what all such files have: `MODELS[kind].Net(3)`.
    """
    parents = program.index.parents
    entry = parents.get(name)
    table = parents.get(entry) if isinstance(entry, cst.DictElement) and entry.value is name else None
    match parents.get(table) if isinstance(table, cst.Dict) else None:
        case cst.Assign(targets=[cst.AssignTarget(target=cst.Name() | cst.Attribute() as target)]):
            return all(_reads_entries(file, values, read) for file, read in _reads(program, target))
    return False


def _reads(program: Program, target: cst.Name | cst.Attribute) -> Iterator[tuple[Program, cst.Name | cst.Attribute]]:
    """All that may read a variable or field."""
    field = target.attr.value if isinstance(target, cst.Attribute) else target.value
    if isinstance(target, cst.Name):
        definition = program.definitions.bound_once(target)
        if definition is None:
            yield program, target
            return
        yield from ((program, use) for use in program.definitions.uses(definition))
        if program.function_around(target) is not None:
            return
        for file in program.files:
            if file is not program:
                yield from ((file, name) for name in file.index.names if name.value == field)
    for file in program.files:
        yield from ((file, node) for node in file.index.attributes if node.attr.value == field and node is not target)


def _reads_entries(program: Program, values: Values, read: cst.BaseExpression) -> bool:
    """Whether a table is asked for an entry of which all is known, or for its keys."""
    parents = program.index.parents
    parent = parents[read]
    match parent:
        case cst.Subscript(value=table) if table is read:
            return _is_asked(program, values, parent)
        case cst.Attribute(attr=cst.Name("keys")) | cst.ComparisonTarget():
            return True
        case cst.Attribute(attr=cst.Name("get")):
            call = parents[parent]
            return isinstance(call, cst.Call) and len(call.args) == 1 and _is_asked(program, values, call)
        case cst.Arg():
            call = parents[parent]
            return isinstance(call, cst.Call) and dotted(call.func) in ("len", "list", "sorted")
        case cst.ImportAlias():
            return True
    return False


def _is_asked(program: Program, values: Values, file: cst.BaseExpression) -> bool:
    """Whether a file, whichever it is, is only asked for functions and classes that are known."""
    match program.index.parents[file]:
        case cst.Attribute(value=value) as asked if value is file:
            return bool(files_of(values(file))) and values(asked).kind in (Kind.CLASS, Kind.FUNCTION)
        case cst.Assign(targets=[cst.AssignTarget(target=cst.Name() as target)]):
            definition = program.definitions.bound_once(target)
            uses = program.definitions.uses(definition) if definition is not None else [target]
            return all(_is_asked(program, values, use) for use in uses)
    return False


def names_asked(program: Program, call: cst.Call) -> frozenset[str]:
    """The names that are asked of the file that a call gives, at once or by a variable."""
    parent = program.index.parents[call]
    places: list[cst.CSTNode] = [call]
    if isinstance(parent, cst.Assign) and isinstance(parent.targets[0].target, cst.Name):
        places = [*program.definitions.uses_at(parent.targets[0].target)]
    found = set[str]()
    for place in places:
        match program.index.parents[place]:
            case cst.Attribute(attr=cst.Name(name)):
                found.add(name)
            case cst.Arg() as argument:
                match program.index.parents[argument]:
                    case cst.Call(func=cst.Name("getattr"), args=[_, cst.Arg(value=cst.SimpleString() as text), *_]):
                        found.add(str(text.evaluated_value))
    return frozenset(found)


__all__ = [
    "asked_of_file",
    "calls_of_found",
    "is_followed",
    "is_own_file",
    "looked_up",
    "module_of",
    "named_file",
    "names_asked",
    "of_pattern",
    "that_take",
]
