"""Support functions for what a program asks of them.

    def cross_entropy(logits, targets, weight=None, ...)     where every call is cross_entropy(logits, targets)
    def cross_entropy(logits, targets)                       decisions on `weight` are taken, unused functions go

Constant propagation over the calls of the program and of its support code: a parameter that no call of the program gives
has its default, or what all calls of support code give it. Direction: from calls to bodies; lattice of a parameter: nothing
known < one literal < anything; join over all calls; greatest fixpoint, computed anew while decisions in bodies are taken,
since calls in branches that are not taken do not count. A function that the program also uses as a value keeps what calls of
unknown functions may give it; one that is called with `*` or `**`, or that support code passes on, stays as it is.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import TypeVar

import libcst as cst

from torch2jax.emit.check import free_names
from torch2jax.emit.support import SupportCode, SupportPart
from torch2jax.records import dataclass
from torch2jax.syntax.codegen import code
from torch2jax.syntax.edits import is_docstring
from torch2jax.syntax.folding import Folder, Insertion, Transformer, without_unused
from torch2jax.syntax.quote import parenthesized, precedence
from torch2jax.syntax.walk import children, descendants

# Modules of pure functions on arrays. What programs and their surroundings use by name (models, optimizers, data,
# checkpoints) keeps all of its parameters.
_FUNCTIONAL = frozenset(
    "activations array_ops attention batching convolution elementwise functional functional_ops indexing keys linalg_ops losses masked"
    " normalization pooling reductions resampling shapes special windows".split()
)
_ANYTHING = "*"  # no literal
_BUILTINS = frozenset("abs bool float int isinstance len max min range round sum tuple zip".split())
_CALLING_BUILTINS = frozenset({"map", "filter", "sorted", "max", "min"})
# Libraries whose functions do not call what they are given, but for these.
_CALLING_NOTHING = frozenset({"eqx", "jnp", "math", "nnx", "np", "optax"})
_CALLING = frozenset({"apply_along_axis", "apply_over_axes", "piecewise", "vectorize"})
_LONGEST_INLINED = 60
_Constants = Mapping[str, Mapping[str, str]]
_Dropped = tuple[tuple[str, ...], frozenset[str]]
_Item = TypeVar("_Item")


def specialize(support: SupportCode, names: Collection[str], program: str) -> SupportCode:
    """Support code with the parameters left out that no call needs, and without what is then not needed any more.

    `program` is the text of the program without it, `names` what this one uses of it."""
    asked = frozenset(signature.name for part in support.parts for signature in _signatures(part))
    if not asked:
        return support
    outer = _uses(program, asked)
    parts = support.parts
    while True:  # each round that changes something leaves fewer parameters or calls
        constants = _constants(parts, asked, outer)
        changed = SupportCode(tuple(_specialized(part, asked, parts, constants) for part in parts)).closure(names)
        if changed == parts:
            break
        parts = changed
    parts = SupportCode(_inlined(parts, support.parts, outer)).closure(names)
    needed = frozenset[str]().union(*(free_names(part.text) for part in parts))
    imports = tuple(item for item in support.imports if item.bound in needed or item.bound == "annotations")
    return SupportCode(parts, imports)


# Signatures and calls


@dataclass(frozen=True, slots=True)
class _Signature:
    """A function of support code: its parameters in order, which of them go by keyword only, and their defaults."""

    name: str
    """`f`, or `f()` for the function that `f(...)` gives."""
    parameters: tuple[str, ...]
    keyword_only: frozenset[str]
    defaults: Mapping[str, str]
    bound: frozenset[str]
    """The names that its body binds, and those that stay what they are for better reading."""

    @property
    def positional(self) -> tuple[str, ...]:
        """The parameters that may be given by position."""
        return tuple(name for name in self.parameters if name not in self.keyword_only)

    def bind(self, call: ast.Call) -> dict[str, ast.expr] | None:
        """Which parameter a call gives what; None where that is not to be seen."""
        if any(isinstance(arg, ast.Starred) for arg in call.args) or any(item.arg is None for item in call.keywords):
            return None
        if len(call.args) > len(self.positional):
            return None
        bound = dict(zip(self.positional, call.args, strict=False))
        bound.update({item.arg: item.value for item in call.keywords if item.arg is not None})
        return bound if bound.keys() <= set(self.parameters) else None


def _signatures(part: SupportPart) -> Sequence[_Signature]:
    """The signatures of a definition that may be specialized: its own, and that of the function which it gives."""
    return _read_signatures(part.text) if part.module in _FUNCTIONAL and part.text.startswith("def ") else ()


@cache
def _read_signatures(text: str) -> Sequence[_Signature]:
    (function,) = _parsed(text).body
    assert isinstance(function, ast.FunctionDef)
    own = _read_signature(function, function.name, _bound_inside(function))
    match function.body:
        case [*above, ast.FunctionDef() as inner, ast.Return(value=ast.Name(id=name))] if name == inner.name:
            others = {argument.arg for argument in _walk(function.args) if isinstance(argument, ast.arg)}
            bound = _bound_inside(inner).union(others, *(_bound_inside(statement) for statement in above))
            given = _read_signature(inner, f"{function.name}()", bound)
            return tuple(found for found in (own, given) if found is not None)
    return () if own is None else (own,)


def _read_signature(function: ast.FunctionDef, name: str, bound: frozenset[str]) -> _Signature | None:
    """The signature of a function that is known by a name and binds some others; None where it takes any arguments."""
    args = function.args
    if args.vararg is not None or args.kwarg is not None:
        return None
    positional = [*args.posonlyargs, *args.args]
    given = dict(zip(reversed([item.arg for item in positional]), reversed(args.defaults), strict=False))
    given |= {item.arg: value for item, value in zip(args.kwonlyargs, args.kw_defaults, strict=True) if value}
    return _Signature(
        name,
        tuple(item.arg for item in (*positional, *args.kwonlyargs)),
        frozenset(item.arg for item in args.kwonlyargs),
        {parameter: _literal(value) or _ANYTHING for parameter, value in given.items()},
        bound | {parameter for parameter, value in given.items() if _reads_better(parameter, value, function)},
    )


def _reads_better(parameter: str, default: ast.expr, function: ast.FunctionDef) -> bool:
    """Whether the name of a number says more than the number would, again and again, in computations."""
    if (text := _literal(default)) is None or text[-1].isalpha() or text[0] == '"':
        return False
    uses = sum(isinstance(node, ast.Name) and node.id == parameter for node in _walk(function))
    tests = (node.test for node in _walk(function) if isinstance(node, (ast.If, ast.IfExp)))
    return uses > 2 and not any(
        isinstance(node, ast.Name) and node.id == parameter for test in tests for node in _walk(test)
    )


def _bound_inside(definition: ast.stmt) -> frozenset[str]:
    """The names that a statement, or the body of a function, binds, in functions within it, too."""
    statements = definition.body if isinstance(definition, ast.FunctionDef) else [definition]
    found: set[str] = set()
    for node in (inner for statement in statements for inner in _walk(statement)):
        match node:
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()) | ast.arg(arg=name) | ast.FunctionDef(name=name):
                found.add(name)
            case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)) | ast.MatchMapping(rest=str(name)):
                found.add(name)
    return frozenset(found)


def _literal(node: ast.expr) -> str | None:
    """The text of a literal: a constant, or a negative number."""
    match node:
        case ast.Constant(value=None | bool() | int() | float()):
            return _number(node.value)
        case ast.Constant(value=str(text)):
            return f'"{text}"' if text.isalnum() else None
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as number)):
            return f"-{_number(number)}"
    return None


def _number(value: object) -> str:
    return repr(value).replace("e-0", "e-")


@dataclass(frozen=True, slots=True)
class _Uses:
    """The calls of some functions in a text, and those of them that it uses otherwise."""

    text: str
    names: frozenset[str]
    calls: Mapping[str, Sequence[ast.Call]]
    otherwise: frozenset[str]

    def may_give(self, signature: _Signature) -> frozenset[str]:
        """The parameters that a function may be given where it is known by another name."""
        found: set[str] = set()
        for call in _unknown_calls(self.text, self.names):
            if any(isinstance(arg, ast.Starred) for arg in call.args) or any(it.arg is None for it in call.keywords):
                return frozenset(signature.parameters)
            found.update(signature.positional[: len(call.args)])
            found.update(item.arg for item in call.keywords if item.arg is not None)
        return frozenset(found.intersection(signature.parameters))


@cache
def _nodes(text: str) -> Sequence[ast.AST]:
    """All nodes of a text; a call comes before what it calls."""
    return _walk(_parsed(text))


_parsed = cache(ast.parse)


def _walk(node: ast.AST) -> list[ast.AST]:
    """As `ast.walk`, in half of the time, without what says whether names are read or written."""
    found = [node]
    for item in found:
        for name in item._fields:
            value = getattr(item, name, None)
            if type(value) is list:
                found += [part for part in value if isinstance(part, ast.AST)]
            elif name != "ctx" and isinstance(value, ast.AST):
                found.append(value)
    return found


_USING = frozenset({ast.Call, ast.Name, ast.arg, ast.alias})


@cache
def _uses(text: str, names: frozenset[str]) -> _Uses:
    calls: dict[str, list[ast.Call]] = {}
    called: set[ast.AST] = set()
    otherwise: set[str] = set()
    mentioned = any(name.removesuffix("()") in text for name in names)
    for node in _nodes(text) if mentioned else ():
        if type(node) not in _USING:
            continue
        match node:
            case ast.Call(func=ast.Call(func=ast.Name(id=name)) as func) if f"{name}()" in names:
                calls.setdefault(f"{name}()", []).append(node)
                called.add(func)
            case ast.Call(func=ast.Name(id=name) as func) if name in names:
                calls.setdefault(name, []).append(node)
                called.add(func)
                if node not in called:
                    otherwise.add(f"{name}()")
            case ast.Name(id=name) if name in names and node not in called:
                otherwise.update((name, f"{name}()"))
            case ast.arg(arg=name) | ast.alias(name=name) | ast.alias(asname=name) if name in names:
                otherwise.update((name, f"{name}()"))
    return _Uses(text, names, calls, frozenset(otherwise) & names)


@cache
def _unknown_calls(text: str, names: frozenset[str]) -> Sequence[ast.Call]:
    """The calls of a text that may call functions which it has passed on as values."""
    named = _Names(_nodes(text))
    calls = (node for node in _nodes(text) if isinstance(node, ast.Call))
    return [call for call in calls if named.may_be_value(call.func) or named.may_pass_on(call, names)]


class _Names:
    """What the names of a text may stand for."""

    def __init__(self, nodes: Iterable[ast.AST]) -> None:
        self.defined: set[str] = set(_BUILTINS)
        """Functions, classes and imported modules."""
        self.imported: set[str] = set()
        self.bound: set[str] = set()
        """Variables and parameters."""
        self.stored: set[str] = set()
        """Fields that the text itself may give a value: what is stored, or named by keyword or in a string."""
        for node in nodes:
            self._add(node)

    def _add(self, node: ast.AST) -> None:
        match node:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                self.defined.add(name)
            case ast.alias(name=name, asname=alias):
                self.imported.add(alias or name.partition(".")[0])
                self.defined.add(alias or name.partition(".")[0])
            case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name):
                self.bound.add(name)
            case ast.Attribute(attr=name, ctx=ast.Store()) | ast.keyword(arg=str(name)) | ast.Constant(value=str(name)):
                self.stored.add(name)

    def may_be_value(self, func: ast.expr) -> bool:
        """Whether what is called may be a function that the text has passed on as a value."""
        match func:
            case ast.Name(id=name):
                return name in self.bound or name not in self.defined
            case ast.Attribute(attr=name):
                return name in self.stored or name in self.bound  # fields of classes are bound in their bodies
        return True

    def may_pass_on(self, call: ast.Call, names: Collection[str]) -> bool:
        """Whether a call of a library may call a function that it is given, as `functools.partial` does, with the rest."""
        match call.func:
            case ast.Name(id=name) if name not in self.imported and name not in _CALLING_BUILTINS:
                return False  # a function of the text, whose own calls are seen
            case ast.Attribute(attr=attr) as func if _root(func) in _CALLING_NOTHING and attr not in _CALLING:
                return False
        given = (arg.id for arg in call.args if isinstance(arg, ast.Name))
        return any(name in names or name in self.bound for name in given)


def _root(node: ast.expr) -> str | None:
    """The name before the dots of an expression."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None


# Constant propagation


def _constants(parts: Sequence[SupportPart], asked: frozenset[str], outer: _Uses) -> _Constants:
    """For each function the parameters that have the same value in every call, and that value."""
    signatures = {found.name: found for part in parts for found in _signatures(part)}
    inner = [(part.names[0] if part.names else "", _uses(part.text, asked)) for part in parts]
    otherwise = frozenset[str]().union(*(uses.otherwise for _, uses in inner))
    values: dict[str, dict[str, str]] = {}
    for name, signature in signatures.items():
        open_ones = frozenset(signature.parameters) if name in otherwise else signature.bound
        if name in outer.otherwise:
            open_ones |= outer.may_give(signature) | {
                name for name in signature.parameters if name not in signature.defaults
            }
        values[name] = {parameter: _ANYTHING for parameter in signature.parameters if parameter in open_ones}
        if name in outer.otherwise:
            _join(values[name], signature, signature.defaults)
        for call in outer.calls.get(name, ()):
            _join(values[name], signature, _given(signature, call, None))
    before = None
    while before != values:
        before = {name: dict(found) for name, found in values.items()}
        for caller, uses in inner:
            known = _known_in(caller, signatures, before)
            for name, call in ((name, call) for name, calls in uses.calls.items() for call in calls):
                _join(values[name], signatures[name], _given(signatures[name], call, known))
    constants = {name: {p: v for p, v in given.items() if v != _ANYTHING} for name, given in values.items()}
    return {name: given for name, given in constants.items() if given}


@dataclass(frozen=True, slots=True)
class _Known:
    """What is known of the parameters of a function whose body calls others."""

    parameters: Sequence[str]
    values: Mapping[str, str]


def _known_in(caller: str, signatures: Mapping[str, _Signature], values: _Constants) -> _Known:
    """What is known in the body of a function, and in that of the function which it gives."""
    found = [name for name in (caller, f"{caller}()") if name in signatures]
    parameters = [parameter for name in found for parameter in signatures[name].parameters]
    merged = {parameter: value for name in found for parameter, value in values[name].items()}
    return _Known(parameters, merged)


def _given(signature: _Signature, call: ast.Call, known: _Known | None) -> dict[str, str]:
    """What a call gives to each parameter, as far as something is known; calls of the program (`known` is None) are not
    rewritten, so that what they give is anything."""
    bound = signature.bind(call)
    if bound is None:
        return dict.fromkeys(signature.parameters, _ANYTHING)
    found = {name: signature.defaults.get(name, _ANYTHING) for name in signature.parameters if name not in bound}
    for name, value in bound.items():
        if known is not None and isinstance(value, ast.Name) and value.id in known.parameters:
            if value.id in known.values:
                found[name] = known.values[value.id]
        else:
            found[name] = (_literal(value) if known is not None else None) or _ANYTHING
    return found


def _join(values: dict[str, str], signature: _Signature, given: Mapping[str, str]) -> None:
    for name, value in given.items():
        values[name] = value if values.get(name, value) == value else _ANYTHING


# Bodies


def _specialized(
    part: SupportPart, asked: frozenset[str], parts: Sequence[SupportPart], constants: _Constants
) -> SupportPart:
    """A definition whose parameters are the constants that they are, and whose calls leave out what they would give to such."""
    own = [constants.get(signature.name, {}) for signature in _signatures(part)]
    called = _uses(part.text, asked).calls.keys() & constants.keys()
    if not any(own) and not called:
        return part
    signatures = {found.name: found for it in parts for found in _signatures(it) if found.name in called}
    dropped = {name: (found.positional, frozenset(constants[name])) for name, found in signatures.items()}
    return replace(part, text=_folded(part.text, tuple(_hashable(values) for values in own), _hashable(dropped)))


def _hashable(found: Mapping[str, _Item]) -> tuple[tuple[str, _Item], ...]:
    return tuple(sorted(found.items()))


@cache
def _folded(text: str, own: tuple[tuple[tuple[str, str], ...], ...], dropped: tuple[tuple[str, _Dropped], ...]) -> str:
    """The text of a definition, folded; programs ask for the same again and again."""
    folded = cst.parse_module(text).visit(_Fold([dict(values) for values in own], dict(dropped)))
    return _text_of(without_unused(folded) if any(own) else folded)


def _text_of(module: cst.Module) -> str:
    return "".join(map(code, (*module.header, *module.body, *module.footer)))


class _Fold(Folder):
    """Folds a definition, and drops arguments that nobody takes.

    `own` are the literals for the parameters of the function, and of that which it gives; `dropped` has the positional
    parameters of functions, and which parameters they have no more."""

    def __init__(self, own: Sequence[Mapping[str, str]], dropped: Mapping[str, _Dropped]) -> None:
        super().__init__({name: value for values in own for name, value in values.items()})
        self.own, self.dropped = own, dropped
        self.depth = 0

    def visit_FunctionDef(self, node: cst.FunctionDef) -> None:
        self.depth += 1

    def leave_FunctionDef(self, original_node: cst.FunctionDef, updated_node: cst.FunctionDef) -> cst.FunctionDef:
        self.depth -= 1
        names = self.own[self.depth].keys() if self.depth < len(self.own) else ()
        return _function_without(updated_node, names) if names else updated_node

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.BaseExpression:
        match original_node.func:
            case cst.Name(name) if name in self.dropped:
                return _call_without(updated_node, *self.dropped[name])
            case cst.Call(func=cst.Name(name)) if f"{name}()" in self.dropped:
                return _call_without(updated_node, *self.dropped[f"{name}()"])
        return super().leave_Call(original_node, updated_node)


def _function_without(function: cst.FunctionDef, dropped: Collection[str]) -> cst.FunctionDef:
    """A function without some of its parameters; the others stand on one line."""
    positional = [_on_one_line(param) for param in function.params.params if param.name.value not in dropped]
    by_keyword = [_on_one_line(param) for param in function.params.kwonly_params if param.name.value not in dropped]
    star = cst.ParamStar() if by_keyword else cst.MaybeSentinel.DEFAULT
    params = cst.Parameters(params=positional, kwonly_params=by_keyword, star_arg=star)
    return function.with_changes(params=params, whitespace_before_params=cst.SimpleWhitespace(""))


def _on_one_line(param: cst.Param) -> cst.Param:
    nothing = cst.SimpleWhitespace("")
    return param.with_changes(comma=cst.MaybeSentinel.DEFAULT, whitespace_after_param=nothing)


def _call_without(call: cst.Call, positional: Sequence[str], dropped: frozenset[str]) -> cst.Call:
    """A call without the arguments for some parameters, which its function has no more."""
    named = [arg.keyword.value if arg.keyword is not None else positional[i] for i, arg in enumerate(call.args)]
    kept = [arg for arg, name in zip(call.args, named, strict=True) if name not in dropped]
    if kept:
        kept[-1] = kept[-1].with_changes(comma=cst.MaybeSentinel.DEFAULT)
    return call if len(kept) == len(call.args) else call.with_changes(args=kept)


# Functions that have become one short expression


def _inlined(parts: Sequence[SupportPart], originals: Sequence[SupportPart], outer: _Uses) -> tuple[SupportPart, ...]:
    """The definitions with the expressions of those put for their calls that specializing has made so short."""
    as_they_were = {part.text for part in originals}
    used = outer.otherwise.union(outer.calls)
    short = {}
    for part in parts:
        if len(signatures := _signatures(part)) != 1 or part.text in as_they_were:
            continue
        (signature,) = signatures
        if signature.name in used or signature.defaults:
            continue
        if (value := _short_value(part.text)) is not None:
            short[signature.name] = _Inlined(signature.positional, value)
    if not short:
        return tuple(parts)
    return tuple(
        part if not _uses(part.text, frozenset(short)).calls else replace(part, text=_with_values(part.text, short))
        for part in parts
    )


@dataclass(frozen=True, slots=True)
class _Inlined:
    """A function that is one expression of its parameters."""

    parameters: Sequence[str]
    value: cst.BaseExpression


@cache
def _short_value(text: str) -> cst.BaseExpression | None:
    """The expression that a function returns, if it does nothing else."""
    (function,) = cst.parse_module(text).body
    assert isinstance(function, cst.FunctionDef)
    match function.body.body:
        case [*above, cst.SimpleStatementLine(body=[cst.Return(value=cst.BaseExpression() as value)])]:
            if len(above) > 1 or len(cst.Module([]).code_for_node(value)) > _LONGEST_INLINED:
                return None
            bare = not any(isinstance(node, (cst.Lambda, cst.CompFor, cst.NamedExpr)) for node in descendants(value))
            return value if bare and all(is_docstring(statement) for statement in above) else None
    return None


def _with_values(text: str, short: Mapping[str, _Inlined]) -> str:
    return _text_of(cst.parse_module(text).visit(_Inlining(short, _bound_in(text))))


@cache
def _bound_in(text: str) -> frozenset[str]:
    """All names that a definition binds somewhere."""
    found: set[str] = set()
    for node in _nodes(text):
        match node:
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()) | ast.arg(arg=name):
                found.add(name)
    return frozenset(found)


class _Inlining(Transformer):
    """Puts expressions for calls."""

    def __init__(self, short: Mapping[str, _Inlined], bound: frozenset[str]) -> None:
        super().__init__()
        self.short, self.bound = short, bound

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.BaseExpression:
        match updated_node.func:
            case cst.Name(name) if name in self.short:
                return self._expression(updated_node, self.short[name]) or updated_node
        return updated_node

    def _expression(self, call: cst.Call, function: _Inlined) -> cst.BaseExpression | None:
        """The value of a call; None where an argument would be computed twice, or a name mean another thing."""
        if any(arg.star or arg.keyword for arg in call.args) or len(call.args) != len(function.parameters):
            return None
        values = {name: arg.value for name, arg in zip(function.parameters, call.args, strict=True)}
        read = [node.value for node in (function.value, *descendants(function.value)) if isinstance(node, cst.Name)]
        if self.bound & (set(read) - values.keys()):
            return None
        if any(read.count(name) != 1 and children(value) for name, value in values.items()):
            return None
        inserted = function.value.visit(Insertion(values))
        assert isinstance(inserted, cst.BaseExpression)
        return parenthesized(inserted) if precedence(inserted) < precedence(cst.Name("x")) else inserted
