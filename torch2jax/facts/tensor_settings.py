"""Fields of modules that are made of settings of which no kind is known, where the program gives tensors under their names:
`self.scale = cfg.scale` beside `Config(scale=torch.ones(2))`, `self.mask = mask` beside `Net(**{"mask": mask})`.

May-analysis over names, forward: a name holds a tensor (or a parameter, or a module) if something that is one is given to a
keyword, key or attribute of that name, or a place of unknown kind is bound to what is read from such a name, in any file of
the program. Join is union.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Callable, Collection, Container, Hashable, Iterable, Iterator
from dataclasses import field

import libcst as cst

from torch2jax.facts.effects import Effects, holds_tensors
from torch2jax.facts.infer import Values
from torch2jax.program.calls import arguments_by_parameter
from torch2jax.program.program import Class, Program
from torch2jax.records import dataclass
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind, Value

_OPEN = frozenset({Kind.UNKNOWN, Kind.PYTHON})
TENSOR, HELD, PARAMETER, MODULE = "tensor", "held", "parameter", "module"
Sources = tuple[
    frozenset[str], frozenset[str]
]  # the kinds that a file gives to a name, and the names that it is bound to
_NOTHING: Sources = (frozenset(), frozenset())


@dataclass(frozen=True, slots=True)
class Settings:
    """What a file says of settings: the kinds that it gives to names, the names that it gives to others (`passed`), and those
    that its open fields are made of, by class and name of the field.
    """

    given: dict[str, frozenset[str]] = field(default_factory=dict)
    passed: tuple[tuple[str, tuple[str, ...]], ...] = ()
    asked: dict[tuple[str, str], frozenset[str]] = field(default_factory=dict)


@dataclass(slots=True)
class SettingsOfFiles:
    """What the files of a program say of settings, by the names that they say it of."""

    _sources: dict[str, dict[Hashable, Sources]] = field(default_factory=dict)
    _names: dict[Hashable, Collection[str]] = field(default_factory=dict)

    def note(self, file: Hashable, settings: Settings | None) -> None:
        """Note what a file says now; None if it says nothing any more."""
        for name in self._names.pop(file, ()):
            del self._sources[name][file]
        if settings is not None:
            found = _sources(settings)
            self._names[file] = found.keys()
            for name, sources in found.items():
                self._sources.setdefault(name, {})[file] = sources

    def around(self, file: Hashable, files: Container[Hashable]) -> Callable[[str], list[Sources]]:
        """What other files, of those, say of a name."""

        def said(name: str) -> list[Sources]:
            known = self._sources.get(name, {})
            return [sources for other, sources in known.items() if other != file and other in files]

        return said


def _sources(settings: Settings) -> dict[str, Sources]:
    words: dict[str, set[str]] = defaultdict(set)
    for name, passed in settings.passed:
        words[name].update(passed)
    given = settings.given
    return {name: (given.get(name, frozenset()), frozenset(words.get(name, ()))) for name in {**given, **words}}


def collect_settings(program: Program, values: Values, effects: Effects) -> Settings:
    unseen = list(_unseen(program, values))
    given: dict[str, set[str]] = defaultdict(set)
    for name, node in unseen:
        given[name] |= _kinds(values(node))
    bound = [*unseen, *_seen(program, values)]
    passed = [(name, tuple(words)) for name, node in bound if values(node).kind in _OPEN and (words := _words(node))]
    asked = {}
    for item in program.module_classes():
        for name in _open_fields(item, effects):
            made = [value for _, value in effects.module_state.made.get(item, {}).get(name, ()) if value is not None]
            asked[item.key, name] = frozenset(word for value in made for word in _words(value))
    return Settings({name: frozenset(kinds) for name, kinds in given.items() if kinds}, tuple(passed), asked)


def find_tensor_settings(
    own: Settings, others: Callable[[str], list[Sources]] = lambda name: []
) -> dict[tuple[str, str], frozenset[str]]:
    """What fields of unknown kind may be given from outside, by class and name: a tensor, a container of tensors (`HELD`), a
    parameter or a module. Fields that only get modules and parameters are left out, as are those that are called. `others`
    are asked what other files say of a name.
    """
    if not own.asked:
        return {}
    given = _names_given(own, others)
    found = {place: frozenset[str]().union(*(given[word] for word in words)) for place, words in own.asked.items()}
    return {place: kinds for place, kinds in found.items() if kinds & {TENSOR, HELD}}


def find_array_fields(program: Program, values: Values, effects: Effects) -> Iterator[tuple[str, str]]:
    """The fields, by class and name, that may hold arrays or numbers of NumPy, which torch does not train:
    `self.scale = np.sqrt(n)`."""
    for item, made in effects.module_state.made.items():
        for name, found in made.items():
            value = item.fields.get(name)
            if value is None or not any(part.kind is Kind.PYTHON for part in (value, *value.parts)):
                continue
            if any(node is None or _may_be_array(program, values, node) for _, node in found):
                yield item.key, name


def _may_be_array(program: Program, values: Values, node: cst.BaseExpression, depth: int = 8) -> bool:
    """Whether an expression may give, or hold, something of a library outside of Python's own."""
    value = values(node)
    if isinstance(value.const, str) and value.kind is Kind.PYTHON:
        return value.const.partition(".")[0] not in sys.stdlib_module_names
    match node:
        case cst.Call(func=func) if func not in values.callees and values(func).kind is Kind.PYTHON:
            return _may_be_array(program, values, func, depth)
        case cst.Attribute(value=base) | cst.Subscript(value=base):
            return value.kind is Kind.PYTHON and _may_be_array(program, values, base, depth)
        case cst.Name() if depth:
            given = [item.value for item in program.definitions.of(node)]
            return value.kind is Kind.PYTHON and any(
                part is None or _may_be_array(program, values, part, depth - 1) for part in given
            )
        case cst.List(elements=elements) | cst.Tuple(elements=elements):
            return any(_may_be_array(program, values, part.value, depth) for part in elements)
        case cst.Dict(elements=elements):
            return any(_may_be_array(program, values, part.value, depth) for part in elements)
        case cst.ListComp(elt=inner) | cst.GeneratorExp(elt=inner) | cst.DictComp(value=inner):
            return _may_be_array(program, values, inner, depth)
        case cst.IfExp(body=left, orelse=right) | cst.BooleanOperation(left=left, right=right):
            return any(_may_be_array(program, values, part, depth) for part in (left, right))
        case cst.BinaryOperation(left=left, right=right):
            return any(_may_be_array(program, values, part, depth) for part in (left, right))
        case cst.UnaryOperation(expression=inner):
            return _may_be_array(program, values, inner, depth)
    return any(part.kind is Kind.PYTHON for part in (value, *value.parts))


def _open_fields(item: Class, effects: Effects) -> list[str]:
    names = [name for name, value in item.fields.items() if value.kind in _OPEN and name not in item.state]
    calls = descendants(item.node, cst.Call) if names else ()
    called = {call.func.attr.value for call in calls if isinstance(call.func, cst.Attribute)}
    return [name for name in names if name not in called]


def _names_given(own: Settings, others: Callable[[str], list[Sources]]) -> dict[str, set[str]]:
    """What may be found under the names that are asked for, and under those that these are made of, to the fixpoint."""
    said = _sources(own)
    given: dict[str, set[str]] = {}
    takers: dict[str, set[str]] = defaultdict(set)
    waiting = [word for words in own.asked.values() for word in words]
    while waiting:
        name = waiting.pop()
        if name in given:
            continue
        given[name] = set()
        for kinds, words in (*others(name), said.get(name, _NOTHING)):
            given[name] |= kinds
            waiting += words
            for word in words:
                takers[word].add(name)
    waiting = list(given)
    while waiting:
        name = waiting.pop()
        for taker in takers.get(name, ()):
            if not given[name] <= given[taker]:
                given[taker] |= given[name]
                waiting.append(taker)
    return given


def _kinds(value: Value) -> set[str]:
    if value.kind is Kind.TENSOR:
        return {PARAMETER} if "parameter" in value.types else {TENSOR}
    if value.kind is Kind.MODULE:
        return {MODULE}
    is_known = all(part.kind not in _OPEN for part in value.parts)
    return {HELD} if is_known and holds_tensors(value, discrete=True) else set()


def _unseen(program: Program, values: Values) -> Iterator[tuple[str, cst.BaseExpression]]:
    """What is given to keywords, keys and attributes, where values are not followed: all but arguments of the program's own
    functions and fields of its modules.
    """
    for call in program.index.every(cst.Call):
        if values(call.func).kind is not Kind.TORCH:
            followed = {node for _, node in _arguments(program, values, call)}
            named = [arg for arg in call.args if arg.keyword is not None and arg.value not in followed]
            yield from ((arg.keyword.value, arg.value) for arg in named if arg.keyword is not None)
        if isinstance(call.func, cst.Name) and call.func.value == "setattr" and len(call.args) == 3:
            yield from ((word, call.args[2].value) for word in _text(call.args[1].value))
    for element in program.index.every(cst.DictElement):
        yield from ((word, element.value) for word in _text(element.key))
    for assign in program.index.every(cst.Assign):
        for target in assign.targets:
            place = target.target
            if isinstance(place, (cst.Attribute, cst.Subscript)) and values(place.value).kind is not Kind.MODULE:
                yield from ((word, assign.value) for word in _words(place))


def _seen(program: Program, values: Values) -> Iterator[tuple[str, cst.BaseExpression]]:
    """What variables and parameters are given: more than its words is known of nothing but what is open."""
    for call in program.index.every(cst.Call):
        yield from _arguments(program, values, call)
    for assign in program.index.every(cst.Assign):
        for target in assign.targets:
            if isinstance(target.target, cst.Name):
                yield target.target.value, assign.value


def _arguments(program: Program, values: Values, call: cst.Call) -> Iterator[tuple[str, cst.BaseExpression]]:
    """(parameter, argument) of a call, for all functions of the program that it may run."""
    callee = values(call.func)
    called = [program.by_key.get(key) for key in callee.types]
    if callee.kind is Kind.CLASS:
        called += [item.method("__init__") for item in map(program.class_by_key.get, callee.types) if item is not None]
    for function in called:
        if function is not None:
            names = function.parameter_names
            yield from (pair for pair in arguments_by_parameter(function, call, values) if pair[0] in names)


def _words(node: cst.BaseExpression) -> Iterable[str]:
    """The names under which something is looked up: `scale`, `cfg.scale`, `cfg["scale"]`, `cfg.get("scale", 1)`."""
    match node:
        case cst.Name(value=word) | cst.Attribute(attr=cst.Name(value=word)):
            return (word,)
        case cst.Subscript(slice=[cst.SubscriptElement(slice=cst.Index(value=key))]):
            return _text(key)
        case cst.Call(func=cst.Attribute(attr=cst.Name("get" | "pop" | "setdefault")), args=[first, *rest]):
            return (*_text(first.value), *(word for item in rest for word in _words(item.value)))
        case cst.Call(func=cst.Name("getattr"), args=[_, second, *rest]):
            return (*_text(second.value), *(word for item in rest for word in _words(item.value)))
        case cst.IfExp(body=left, orelse=right) | cst.BooleanOperation(left=left, right=right):
            return (*_words(left), *_words(right))
    return ()


def _text(node: cst.BaseExpression) -> tuple[str, ...]:
    word = node.evaluated_value if isinstance(node, cst.SimpleString) else None
    return (word,) if isinstance(word, str) else ()
