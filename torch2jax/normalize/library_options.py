"""Definitions of libraries without the options that a program never gives.

    class Block(nn.Module):                                      class Block(nn.Module):
        def __init__(self, planes, *, norm_layer=None):    ->        def __init__(self, planes):
            norm = norm_layer or nn.BatchNorm2d                          self.bn1 = nn.BatchNorm2d(planes)
            self.bn1 = norm(planes)

Constant propagation over the calls of the program and of the definitions, as for support code (`emit/specialize.py`): an option is
a parameter behind the star whose default is a literal. Lattice: nothing known < one literal < anything; join over all calls. What
a definition may be given where it is not called by its own name: what the program names anywhere, as a keyword or in a string.
Definitions that are passed on as values are called by calls of unknown functions; they lose an option together, or not at all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

import libcst as cst

from torch2jax.program.program import dotted
from torch2jax.records import dataclass
from torch2jax.syntax.codegen import code
from torch2jax.syntax.folding import Folder, Transformer, literal_value, without_unused
from torch2jax.syntax.walk import descendants

_ANYTHING = "*"  # no literal
_EQUAL = cst.AssignEqual(cst.SimpleWhitespace(""), cst.SimpleWhitespace(""))
Definitions = Mapping[str, cst.BaseStatement]


@dataclass(frozen=True, slots=True)
class Uses:
    """What a program does with definitions: the keywords of its calls of each, which of them it uses otherwise, and the words
    that it names.
    """

    calls: Mapping[str, Sequence[frozenset[str]]]
    otherwise: frozenset[str]
    words: frozenset[str]

    @property
    def names(self) -> frozenset[str]:
        return self.otherwise | self.calls.keys()


def without_unused_options(definitions: Definitions, uses: Uses) -> dict[str, cst.BaseStatement]:
    """The definitions that are still needed, in order, without the options that nobody gives."""
    found = {name: _with_given_keywords(node, definitions, uses, name) for name, node in definitions.items()}
    while True:
        found = _without_unmade(_reachable(found, uses.names), uses)
        group = _group(found, uses)
        constants = _constants(found, uses, group)
        changed = {name: _specialized(node, name, found, constants, group) for name, node in found.items()}
        if all(changed[name] is found[name] or code(changed[name]) == code(found[name]) for name in found):
            return found
        found = changed


def _reachable(definitions: Definitions, names: Iterable[str]) -> dict[str, cst.BaseStatement]:
    wanted, waiting = set[str](), [name for name in names if name in definitions]
    while waiting:
        name = waiting.pop()
        if name not in wanted:
            wanted.add(name)
            waiting += [item for item in _names(definitions[name]) if item in definitions]
    return {name: node for name, node in definitions.items() if name in wanted}


def _names(node: cst.CSTNode) -> set[str]:
    return {item.value for item in _read(node)}


def _read(node: cst.CSTNode) -> list[cst.Name]:
    """The names in a definition that are no fields and no keywords."""
    labels: set[int] = set()
    for item in descendants(node):
        if isinstance(item, cst.Attribute):
            labels.add(id(item.attr))
        elif isinstance(item, cst.Arg) and item.keyword is not None:
            labels.add(id(item.keyword))
    return [item for item in descendants(node) if isinstance(item, cst.Name) and id(item) not in labels]


def _without_unmade(definitions: Definitions, uses: Uses) -> dict[str, cst.BaseStatement]:
    """The definitions without questions for classes that nothing makes instances of."""
    made, waiting = set[str](), [name for name in uses.names if name in definitions]
    while waiting:
        name = waiting.pop()
        if name not in made:
            made.add(name)
            asked = [arg for call in _calls(definitions[name]) for arg in _classes_asked(call)]
            questions = [item.value for arg in asked for item in (arg, *descendants(arg)) if isinstance(item, cst.Name)]
            names = Counter(item.value for item in _read(definitions[name]))
            names.subtract(Counter(questions))
            waiting += [item for item, count in names.items() if count > 0 and item in definitions]
    unmade = definitions.keys() - made
    if not unmade:
        return dict(definitions)
    answers = _Answers(unmade)
    return {
        name: _visited(node, answers, Folder({})) if any(map(answers.changes, _calls(node))) else node
        for name, node in definitions.items()
        if name in made
    }


def _visited(node: cst.BaseStatement, *visitors: cst.CSTTransformer) -> cst.BaseStatement:
    for visitor in visitors:
        changed = node.visit(visitor)
        assert isinstance(changed, (cst.SimpleStatementLine, cst.BaseCompoundStatement))
        node = changed
    return node


def _classes_asked(call: cst.Call) -> list[cst.BaseExpression]:
    """What a call of `isinstance` asks for."""
    return [call.args[1].value] if dotted(call.func) == "isinstance" and len(call.args) == 2 else []


class _Answers(Transformer):
    """Nothing is of a class that has no instances."""

    def __init__(self, unmade: Collection[str]) -> None:
        super().__init__()
        self.unmade = unmade

    def changes(self, call: cst.Call) -> bool:
        return any(dotted(asked) in self.unmade for asked in _classes_asked(call))

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.BaseExpression:
        return cst.Name("False") if self.changes(original_node) else updated_node


def maker(node: cst.CSTNode) -> cst.FunctionDef | None:
    """The function that a call of a definition runs: itself, or the `__init__` of a class."""
    if isinstance(node, cst.FunctionDef):
        return node
    if isinstance(node, cst.ClassDef):
        methods = (item for item in node.body.body if isinstance(item, cst.FunctionDef))
        return next((item for item in methods if item.name.value == "__init__"), None)
    return None


# All that another function takes


def _with_given_keywords(node: cst.BaseStatement, definitions: Definitions, uses: Uses, name: str) -> cst.BaseStatement:
    """A function with the keywords that the program gives it in the place of `**kwargs`."""
    if not isinstance(node, cst.FunctionDef) or node.params.star_kwarg is None or name in uses.otherwise:
        return node
    star = node.params.star_kwarg.name.value
    own = {item.name.value for item in (*node.params.params, *node.params.kwonly_params)}
    given = [*dict.fromkeys(word for call in uses.calls.get(name, ()) for word in sorted(call) if word not in own)]
    call = next((item for item in _calls(node) if any(arg.star == "**" for arg in item.args)), None)
    if call is None:
        return node  # it keeps what it is given, whatever that is
    taker = maker(definitions[str(dotted(call.func))])
    assert taker is not None
    defaults = {item.name.value: item.default for item in (*taker.params.params, *taker.params.kwonly_params)}
    added = [cst.Param(cst.Name(word), equal=_EQUAL, default=defaults[word]) for word in given]
    params = node.params.with_changes(
        kwonly_params=[*added, *node.params.kwonly_params],
        star_arg=cst.ParamStar() if added or node.params.kwonly_params else cst.MaybeSentinel.DEFAULT,
        star_kwarg=None,
    )
    changed = node.with_changes(params=params).visit(_Expansion(star, given))
    assert isinstance(changed, cst.FunctionDef)
    return changed


class _Expansion(Transformer):
    """Puts keywords for `**kwargs` in calls."""

    def __init__(self, star: str, words: Sequence[str]) -> None:
        super().__init__()
        self.star, self.words = star, words

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.Call:
        kept = [arg for arg in updated_node.args if not (arg.star == "**" and dotted(arg.value) == self.star)]
        if len(kept) == len(updated_node.args):
            return updated_node
        added = [cst.Arg(cst.Name(word), keyword=cst.Name(word), equal=_EQUAL) for word in self.words]
        return updated_node.with_changes(args=_ended([*kept, *added]))


def _ended(args: list[cst.Arg]) -> list[cst.Arg]:
    return [*args[:-1], args[-1].with_changes(comma=cst.MaybeSentinel.DEFAULT)] if args else args


# Which options are constants


def _constants(definitions: Definitions, uses: Uses, passed_on: Collection[str]) -> dict[str, dict[str, str]]:
    """For each definition the options that always have one literal, and that literal; some are `passed_on` as values."""
    options = {name: _options(node) for name, node in definitions.items()}
    values: dict[str, dict[str, str]] = {name: {} for name in definitions}
    for name, defaults in options.items():
        for call in uses.calls.get(name, ()):
            _join(values[name], {item: _ANYTHING if item in call else text for item, text in defaults.items()})
        if name in uses.otherwise:
            _join(values[name], {item: _ANYTHING if item in uses.words else text for item, text in defaults.items()})
    for node in definitions.values():
        for made in _calls(node):
            called = dotted(made.func)
            for name in [called] if called in options else passed_on if _is_unknown(made, definitions) else ():
                _join(values[str(name)], _given(made, options[str(name)], uses.words))
    shared = _shared(values, options, passed_on)
    return {
        name: {item: text for item, text in found.items() if text != _ANYTHING and shared(name, item)}
        for name, found in values.items()
    }


def _shared(values: Mapping[str, Mapping[str, str]], options: Mapping[str, Mapping[str, str]], group: Collection[str]):  # type: ignore[no-untyped-def]
    """Whether an option of a definition is a constant for all that are passed on as values, too."""

    def ask(name: str, item: str) -> bool:
        if name not in group:
            return True
        found = {values[other].get(item, _ANYTHING) for other in group if item in options[other]}
        return len(found) == 1 and _ANYTHING not in found

    return ask


def _options(node: cst.BaseStatement) -> dict[str, str]:
    """The options of a definition, with their defaults."""
    function = maker(node)
    found = {}
    for item in function.params.kwonly_params if function is not None else ():
        if item.default is not None and literal_value(item.default) is not None:
            found[item.name.value] = code(item.default)
    return found


def _calls(node: cst.CSTNode) -> list[cst.Call]:
    return [*descendants(node, cst.Call)]


def _is_unknown(call: cst.Call, definitions: Definitions) -> bool:
    """Whether a call may be of a definition that was passed on: of a parameter or a variable, not of a name of torch or Python."""
    return isinstance(call.func, cst.Name) and call.func.value not in definitions


def _group(definitions: Definitions, uses: Uses) -> set[str]:
    """The definitions that calls of unknown functions may call."""
    inside = {name for node in definitions.values() for name in _passed_on(node, definitions)}
    return inside | (uses.otherwise & definitions.keys())


def _passed_on(node: cst.CSTNode, definitions: Definitions) -> Iterator[str]:
    """The definitions that one uses as values, other than to ask for the class of something."""
    called = {id(call.func) for call in _calls(node)}
    asked = {
        id(item) for call in _calls(node) if dotted(call.func) == "isinstance" for item in descendants(call.args[1])
    }
    for call in _calls(node):
        for arg in call.args:
            for item in (arg.value, *descendants(arg.value)):
                if isinstance(item, cst.Name) and item.value in definitions and id(item) not in called | asked:
                    yield item.value


def _given(call: cst.Call, defaults: Mapping[str, str], words: frozenset[str]) -> dict[str, str]:
    given = dict(defaults)
    for arg in call.args:
        if arg.star:
            given |= {item: _ANYTHING for item in given if item in words}
        elif arg.keyword is not None and arg.keyword.value in given:
            given[arg.keyword.value] = code(arg.value) if literal_value(arg.value) is not None else _ANYTHING
    return given


def _join(values: dict[str, str], given: Mapping[str, str]) -> None:
    for name, text in given.items():
        values[name] = text if values.get(name, text) == text else _ANYTHING


# Bodies


def _specialized(
    node: cst.BaseStatement,
    name: str,
    definitions: Definitions,
    constants: Mapping[str, Mapping[str, str]],
    group: Collection[str],
) -> cst.BaseStatement:
    common = frozenset(option for item in group for option in constants[item])
    dropped = {item: frozenset(options) for item, options in constants.items() if options}
    if isinstance(node, (cst.FunctionDef, cst.ClassDef)) and (constants[name] or dropped):
        dropping = _Dropping(dropped, common, frozenset(definitions))
        changed = _visited(node, dropping) if any(map(dropping.changes, _calls(node))) else node
        function = maker(changed)
        if function is not None and constants[name]:
            folded = changed.deep_replace(function, _folded(function, constants[name]))
            assert isinstance(folded, cst.BaseCompoundStatement)
            return folded
        return changed
    return node


class _Dropping(Transformer):
    """Takes options out of calls that are constants."""

    def __init__(self, dropped: Mapping[str, frozenset[str]], common: frozenset[str], names: frozenset[str]) -> None:
        super().__init__()
        self.dropped, self.common, self.names = dropped, common, names

    def words(self, call: cst.Call) -> frozenset[str]:
        """The options that a call does not give any longer."""
        if not isinstance(call.func, cst.Name):
            return frozenset()
        return self.dropped.get(call.func.value, frozenset()) if call.func.value in self.names else self.common

    def changes(self, call: cst.Call) -> bool:
        words = self.words(call)
        return any(arg.keyword is not None and arg.keyword.value in words for arg in call.args)

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.Call:
        words = self.words(original_node)
        kept = [arg for arg in updated_node.args if arg.keyword is None or arg.keyword.value not in words]
        if len(kept) == len(updated_node.args):
            return updated_node
        kept = [arg.with_changes(whitespace_after_arg=cst.SimpleWhitespace("")) for arg in kept]
        kept = [arg.with_changes(comma=cst.MaybeSentinel.DEFAULT) for arg in kept]
        return updated_node.with_changes(args=kept, whitespace_before_args=cst.SimpleWhitespace(""))


def _folded(function: cst.FunctionDef, values: Mapping[str, str]) -> cst.FunctionDef:
    """A function without some of its parameters, which are literals in its body."""
    body = function.body.visit(Folder(values))
    assert isinstance(body, cst.BaseSuite)
    params = function.params
    options = [_bare(item) for item in params.kwonly_params if item.name.value not in values]
    params = params.with_changes(
        params=[_bare(item) for item in params.params],
        kwonly_params=options,
        star_arg=cst.ParamStar() if options else cst.MaybeSentinel.DEFAULT,
    )
    changed = function.with_changes(body=body, params=params, whitespace_before_params=cst.SimpleWhitespace(""))
    module = without_unused(cst.Module([changed]), constant_roots=frozenset({"nn"}))
    return cst.ensure_type(module.body[0], cst.FunctionDef)


def _bare(item: cst.Param) -> cst.Param:
    nothing = cst.SimpleWhitespace("")
    return item.with_changes(comma=cst.MaybeSentinel.DEFAULT, whitespace_after_param=nothing)


__all__ = ["Uses", "maker", "without_unused_options"]
