"""Parts whose names a module computes, of which nobody knows how many there are, stand in a dict of modules.

for i in range(n):                                        ->   self.parts = nn.ModuleDict()
    setattr(self, f"fc{i}", nn.Linear(4, 4))                   for i in range(n):
                                                                   self.parts[f"fc{i}"] = nn.Linear(4, 4)
x = getattr(self, f"fc{i}")(x)                                 x = self.parts[f"fc{i}"](x)
x = self.fc0(x)                                                x = self.parts["fc0"](x)

torch's names of parameters leave out the field, as the mark says. Where modules are objects, they take such names as they are.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import libcst as cst

from torch2jax.facts.infer import UNNAMED_PART
from torch2jax.facts.values.evidence import MODULE_WORDS
from torch2jax.normalize.insertion import imported_names
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.definitions import How
from torch2jax.program.program import Class, Function, dotted
from torch2jax.program.statements import gone_through, out_of_displays, suite_body
from torch2jax.records import dataclass
from torch2jax.syntax.edits import Rewriter
from torch2jax.syntax.quote import quote, quote_statement
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind

_METHODS = frozenset({"add_module", "register_module"})
SETTING_WORDS = ("setattr", *sorted(_METHODS))
_TESTED = (cst.If, cst.While, cst.IfExp, cst.BooleanOperation, cst.UnaryOperation)  # of which `in` needs no parentheses
_ASKING = frozenset({"delattr", "getattr", "hasattr", "vars"})


@dataclass(frozen=True, slots=True)
class _Store:
    """A statement that sets a part by a name that is computed."""

    call: cst.Call
    name: cst.BaseExpression
    value: cst.BaseExpression
    prefix: str
    line: cst.BaseStatement  # of `__init__`, that runs it


@dataclass(frozen=True, slots=True)
class _Read:
    """An expression that gives such a part, or asks whether there is one."""

    node: cst.CSTNode
    module: cst.BaseExpression
    name: cst.BaseExpression
    is_test: bool = False


def normalize_numbered_parts(work: NormalizationRound) -> None:
    """Normalize all such classes of a file."""
    effects = work.effects
    if effects is None or not effects.threads or not any(work.program.mentions(word) for word in SETTING_WORDS):
        return
    prefix = _module_dict(work)
    for item in work.program.classes.values():
        init = item.methods.get("__init__")
        if item.is_module and init is not None and prefix is not None and item.node in work.index.parents:
            stores = _stores(work, item, init)
            if stores:
                _normalize(work, item, init, stores, prefix)


def _module_dict(work: NormalizationRound) -> str | None:
    """How the file names `torch.nn.ModuleDict`."""
    known = {meant: name for name, meant in imported_names(work.index).items()}
    for meant in ("torch.nn", "torch"):
        if meant in known:
            return known[meant] + "torch.nn".removeprefix(meant) + ".ModuleDict"
    return None


def _stores(work: NormalizationRound, item: Class, init: Function) -> list[_Store] | None:
    """The statements that set such parts; None where something else is set by name, or something asks for names."""
    found: list[_Store] = []
    for call in (node for node in descendants(item.node) if isinstance(node, cst.Call)):
        given = set_by_name(call, init.self_name or "")
        if given is None or isinstance(work.values(given[0]).const, str):
            continue
        prefix, line = _prefix(work, given[0]), _line_of_init(work, item, init, call)
        is_alone = isinstance(work.index.parents[call], cst.Expr)
        if prefix is None or line is None or not is_alone or work.values(given[1]).kind is not Kind.MODULE:
            return None
        found.append(_Store(call, given[0], given[1], prefix, line))
    return found


def _line_of_init(work: NormalizationRound, item: Class, init: Function, call: cst.Call) -> cst.BaseStatement | None:
    """The statement of `__init__` that makes a call: itself, or by a method that nothing else calls."""
    node: cst.CSTNode = call
    around = work.program.function_around(call)
    if around is not init:
        if around is None or around.owner is not item or around.node in descendants(init.node):
            return None
        every = [node for node in work.index.attributes if node.attr.value == around.name]
        uses = [node for node in every if not _calls_itself(work, around, node)]
        whole = work.index.parents[uses[0]] if len(uses) == 1 else None
        is_own = bool(uses) and dotted(uses[0].value) == init.self_name == around.self_name
        is_called = isinstance(whole, cst.Call) and isinstance(work.index.parents[whole], cst.Expr)
        if whole is None or not is_own or not is_called or around.name in work.program.read_elsewhere:
            return None
        if any(other is not item and item in other.lineage for other in work.program.class_by_key.values()):
            return None
        node = whole
    lines = (line for line in suite_body(init.node) if node in descendants(line))
    line = next(lines, None)
    return line if isinstance(line, cst.BaseStatement) else None


def _calls_itself(work: NormalizationRound, method: Function, node: cst.Attribute) -> bool:
    """Whether a method calls itself there, for what it does to its module: `self.grow(level - 1)` in `grow`."""
    call = work.index.parents[node]
    is_call = isinstance(call, cst.Call) and call.func is node and isinstance(work.index.parents[call], cst.Expr)
    return is_call and work.index.function_of(node) is method.node and dotted(node.value) == method.self_name


def set_by_name(call: cst.Call, own: str) -> tuple[cst.BaseExpression, cst.BaseExpression] | None:
    """The name and the value of `setattr(self, name, value)` and `self.add_module(name, value)`."""
    if any(argument.star or argument.keyword is not None for argument in call.args):
        return None
    match call:
        case cst.Call(func=cst.Name("setattr"), args=[holder, name, value]) if dotted(holder.value) == own:
            return name.value, value.value
        case cst.Call(func=cst.Attribute(value=holder, attr=cst.Name(method)), args=[name, value]):
            if method in _METHODS and dotted(holder) == own:
                return name.value, value.value
    return None


def _prefix(work: NormalizationRound, node: cst.BaseExpression) -> str | None:
    """What a computed name begins with: `fc` of `f"fc{i}"`, `"fc%d_out" % i`, `"fc" + str(i)` and `"fc{}".format(i)`."""
    match node:
        case cst.FormattedString(parts=[cst.FormattedStringText(value=text), cst.FormattedStringExpression(), *_]):
            return text
        case cst.BinaryOperation(left=cst.SimpleString() as left, operator=cst.Modulo()):
            text, found, _ = str(left.evaluated_value).partition("%")
            return text if found else None
        case cst.BinaryOperation(left=cst.SimpleString() as left, operator=cst.Add()):
            return str(left.evaluated_value)
        case cst.BinaryOperation(left=cst.BinaryOperation() as left, operator=cst.Add()):
            return _prefix(work, left)
        case cst.Call(func=cst.Attribute(value=cst.SimpleString() as left, attr=cst.Name("format"))):
            text, found, _ = str(left.evaluated_value).partition("{")
            return text if found else None
        case cst.SimpleString():  # one of the names that a loop goes through
            return str(node.evaluated_value).rstrip("0123456789")
        case cst.Name():
            prefixes = {_prefix(work, made) for made in _names_made(work, node)}
            return prefixes.pop() if len(prefixes) == 1 else None
    return None


def _names_made(work: NormalizationRound, node: cst.Name) -> Sequence[cst.BaseExpression]:
    """What computes the name in a variable: `name = f"fc{i}"`, `for name, n in zip(["a1", "a2"], sizes)`."""
    found = work.program.definitions.of(node)
    value = found[0].value if len(found) == 1 else None
    if value is None or isinstance(value, cst.SimpleString):
        return ()
    if found[0].how is How.ASSIGNED:
        return [value] if isinstance(value, (cst.BaseString, cst.BinaryOperation, cst.Call)) else ()
    loop, target = out_of_displays(work.index, found[0].node)
    if not isinstance(loop, (cst.For, cst.CompFor)) or loop.target is not target:
        return ()
    pairs = gone_through(loop.target, loop.iter)
    return [made for target, source in pairs if target is found[0].node for made in _elements(work, source)]


def _elements(work: NormalizationRound, source: cst.BaseExpression) -> Sequence[cst.BaseExpression]:
    """The texts of a list that is written out and stays as it is, or what computes each of them."""
    match source:
        case cst.Name() | cst.Attribute():
            listed = _listed(work, source)
            return _elements(work, listed) if isinstance(listed, (cst.List, cst.Tuple, cst.ListComp)) else ()
        case cst.List(elements=elements) | cst.Tuple(elements=elements):
            given = [item.value for item in elements]
            return given if all(isinstance(item, cst.SimpleString) for item in given) else ()
        case cst.ListComp(elt=made):
            return () if isinstance(made, (cst.Name, cst.SimpleString)) else [made]
    return ()


def _listed(work: NormalizationRound, place: cst.Name | cst.Attribute) -> cst.BaseExpression | None:
    """What the one line says that gives a variable, or a field of a class, its value, which nobody changes in place."""
    path, around = dotted(place), work.program.function_around(place)
    scope: cst.CSTNode = around.owner.node if around is not None and around.owner is not None else work.index.module
    if isinstance(place, cst.Name):
        bound = work.program.definitions.bound_once(place)
        scope, given = around.node if around is not None else scope, [bound.value if bound is not None else None]
    else:
        lines = descendants(scope, cst.Assign)
        given = [line.value for line in lines for item in line.targets if dotted(item.target) == path]
    for node in descendants(scope):
        is_changed = isinstance(node, (cst.AugAssign, cst.AssignTarget, cst.Del)) and _is_element(node, path)
        if is_changed or (isinstance(node, cst.Attribute) and dotted(node.value) == path):
            return None
    return given[0] if len(given) == 1 else None


def _is_element(node: cst.AugAssign | cst.AssignTarget | cst.Del, path: str | None) -> bool:
    """Whether a statement changes a list, or an element of it."""
    target = node.target
    is_whole = not isinstance(node, cst.AssignTarget) and dotted(target) == path
    return is_whole or (isinstance(target, cst.Subscript) and dotted(target.value) == path)


def _is_numbered(work: NormalizationRound, node: cst.BaseExpression) -> bool:
    """Whether a whole number surely stands behind what a computed name begins with."""
    match node:
        case cst.FormattedString(parts=[_, cst.FormattedStringExpression(expression=number, format_spec=None), *_]):
            return work.values(number).kind is Kind.INT
        case cst.BinaryOperation(left=cst.SimpleString() as left, operator=cst.Modulo()):
            return str(left.evaluated_value).partition("%")[2].startswith("d")
        case cst.BinaryOperation(
            left=cst.SimpleString(),
            operator=cst.Add(),
            right=cst.Call(func=cst.Name("str"), args=[cst.Arg(value=number)]),
        ):
            return work.values(number).kind is Kind.INT
        case cst.BinaryOperation(left=cst.BinaryOperation() as left, operator=cst.Add()):
            return _is_numbered(work, left)
        case cst.Call(func=cst.Attribute(value=cst.SimpleString() as left), args=[cst.Arg(value=number), *_]):
            follows = str(left.evaluated_value).partition("{")[2]
            return follows.startswith("}") and work.values(number).kind is Kind.INT
        case cst.SimpleString():
            return str(node.evaluated_value)[-1:].isdigit()
        case cst.Name():
            made = _names_made(work, node)
            return bool(made) and all(_is_numbered(work, item) for item in made)
    return False


def _may_be(name: str, prefixes: Mapping[str, bool]) -> bool:
    """Whether a name is one of those that may be computed."""
    return any(
        name.startswith(prefix) and (not is_numbered or name.removeprefix(prefix)[:1] in (*"-0123456789",))
        for prefix, is_numbered in prefixes.items()
    )


def _normalize(work: NormalizationRound, item: Class, init: Function, stores: list[_Store], maker: str) -> None:
    prefixes = {
        store.prefix: all(_is_numbered(work, other.name) for other in stores if other.prefix == store.prefix)
        for store in stores
    }
    first = _first_line(init, stores)
    if "" in prefixes or not _is_alone(work, item, init, stores, prefixes):
        return
    reads = list(_reads(work, item, prefixes))
    if any(read is None for read in reads):
        return
    field = _field_name(work, item)
    own = init.self_name or "self"
    made = quote_statement(f"{own}.{field} = {maker}()")
    work.edits.before(first, lambda rewrite: [made])
    for store in stores:
        work.edits.replace(
            work.index.parents[store.call],
            lambda rewrite, store=store: _assignment(rewrite, own, field, store),  # type: ignore[misc]
        )
    for read in reads:
        if read is not None:
            work.edits.replace(read.node, lambda rewrite, read=read: _part(rewrite, read, field))  # type: ignore[misc]
    work.marks.add((UNNAMED_PART, item.key, field))


def _part(rewrite: Rewriter, read: _Read, field: str) -> cst.BaseExpression:
    template = f"{{name}} in {{module}}.{field}" if read.is_test else f"{{module}}.{field}[{{name}}]"
    return quote(template, module=rewrite.expression(read.module), name=rewrite.expression(read.name))


def _assignment(rewrite: Rewriter, own: str, field: str, store: _Store) -> cst.BaseSmallStatement:
    line = quote_statement(
        f"{own}.{field}[{{name}}] = {{value}}",
        name=rewrite.expression(store.name),
        value=rewrite.expression(store.value),
    )
    return cst.ensure_type(line, cst.SimpleStatementLine).body[0]


def _first_line(init: Function, stores: list[_Store]) -> cst.BaseStatement:
    """The statement of `__init__` in which the first of such parts is set."""
    lines = list(suite_body(init.node))
    return min((store.line for store in stores), key=lines.index)


def _is_alone(
    work: NormalizationRound, item: Class, init: Function, stores: list[_Store], prefixes: Mapping[str, bool]
) -> bool:
    """Whether the parts stand together, and nothing else has names like theirs, or derives from their class."""
    if any(item in other.lineage and other is not item for other in work.program.class_by_key.values()):
        return False
    names = {*(name for name, _ in item.all_fields()), *(name for part in item.lineage for name in part.methods)}
    if any(_may_be(name, prefixes) for name in names) or any(map(_speaks_of_names, item.base_classes)):
        return False
    lines = list(suite_body(init.node))
    held = [lines.index(store.line) for store in stores]
    helpers = {work.index.function_of(store.call) for store in stores} - {init.node}
    between = lines[min(held) : max(held) + 1]
    for node in (node for part in (*between, *helpers) if part is not None for node in descendants(part)):
        if isinstance(node, cst.Assign) and work.values(node.value).kind is Kind.MODULE:
            if any((dotted(target.target) or "").startswith(f"{init.self_name}.") for target in node.targets):
                return False  # torch lists parameters in the order in which parts are set
    return True


def _speaks_of_names(item: Class) -> bool:
    """Whether a class asks for fields by names that it computes, or for tables of them."""
    words = {*_ASKING, *SETTING_WORDS, "_modules", "__dict__"}
    parts = [node for part in item.lineage for node in descendants(part.node)]
    return any(isinstance(node, cst.Name) and node.value in words for node in parts)


def _reads(work: NormalizationRound, item: Class, prefixes: Mapping[str, bool]) -> Iterator[_Read | None]:
    """The expressions that read such parts; None for one that may, and cannot be followed."""
    for node in work.index.attributes:
        name = node.attr.value
        if item.key not in work.values(node.value).types:
            continue
        if name in ("_modules", "__dict__"):
            yield _of_table(work, node, prefixes)
        elif any(name.removeprefix(prefix).isdigit() for prefix in prefixes if name.startswith(prefix)):
            is_stored = isinstance(work.index.parents[node], (cst.AssignTarget, cst.AugAssign, cst.Del))
            is_open = is_stored or len(work.values(node.value).types) > 1
            yield None if is_open else _Read(node, node.value, cst.SimpleString(f'"{name}"'))
        elif _may_be(name, prefixes) and name not in MODULE_WORDS:
            yield None
    for call in work.index.calls:
        asked = call.args[0].value if call.args else None
        if isinstance(call.func, cst.Name) and asked is not None and item.key in work.values(asked).types:
            if call.func.value in _ASKING and not _is_of_other_part(work, call, prefixes):
                yield _asked(work, call, asked, prefixes)


def _is_of_other_part(work: NormalizationRound, call: cst.Call, prefixes: Mapping[str, bool]) -> bool:
    """Whether `getattr` or `hasattr` is given a name that none of the parts has."""
    name = call.args[1].value if len(call.args) > 1 else None
    if name is None:
        return False
    const = work.values(name).const
    if isinstance(const, str):
        return not _may_be(const, prefixes)
    return _prefix(work, name) not in {None, *prefixes}


def _asked(
    work: NormalizationRound, call: cst.Call, asked: cst.BaseExpression, prefixes: Mapping[str, bool]
) -> _Read | None:
    """`getattr(self, f"fc{i}")` and `hasattr(self, f"fc{i}")`."""
    function = dotted(call.func)
    if len(call.args) != 2 or function not in ("getattr", "hasattr"):
        return None
    name = call.args[1].value
    if not isinstance(work.values(name).const, str) and _prefix(work, name) is None:
        return None
    if function == "hasattr" and not isinstance(work.index.parents[call], _TESTED):
        return None
    return _Read(call, asked, call.args[1].value, is_test=function == "hasattr")


def _of_table(work: NormalizationRound, node: cst.Attribute, prefixes: Mapping[str, bool]) -> _Read | None:
    """`self._modules[f"fc{i}"]`."""
    whole = work.index.parents[node]
    match whole:
        case cst.Subscript(value=inside, slice=[cst.SubscriptElement(slice=cst.Index(value=name))]) if inside is node:
            is_stored = isinstance(work.index.parents[whole], (cst.AssignTarget, cst.AugAssign, cst.Del))
            return _Read(whole, node.value, name) if _prefix(work, name) in prefixes and not is_stored else None
    return None


def _field_name(work: NormalizationRound, item: Class) -> str:
    """A name for the field that nothing in the file has."""
    taken = {node.attr.value for node in work.index.attributes} | {name for name, _ in item.all_fields()}
    taken |= {name for part in item.lineage for name in part.methods}
    return next(name for name in ("parts", *(f"parts_{n}" for n in range(1, len(taken) + 2))) if name not in taken)


__all__ = ["SETTING_WORDS", "normalize_numbered_parts", "set_by_name"]
