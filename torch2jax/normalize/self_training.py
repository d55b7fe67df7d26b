"""Modules that have layers and train them by themselves, each normalized to a module and an object that trains it.

class PPO(nn.Module):                              class PPONetwork(nn.Module):
    def __init__(self, lr):                            def __init__(self):
        super().__init__()                                 super().__init__()
        self.fc = nn.Linear(4, 2)                          self.fc = nn.Linear(4, 2)
        self.optimizer = Adam(self.parameters(), lr)
                                                       def pi(self, x):
    def pi(self, x):                                       return self.fc(x)
        return self.fc(x)
                                             ->    class PPO:
    def train_net(self):                               def __init__(self, lr):
        loss = self.pi(x).mean()                           self.network = PPONetwork()
        ...                                                self.optimizer = Adam(self.network.parameters(), lr)
        self.optimizer.step()
                                                       def train_net(self):
                                                           loss = self.network.pi(x).mean()
                                                           ...
model = PPO(lr)                                    model = PPO(lr)
print(model.pi(x))                                 print(model.network.pi(x))

A module is a tree of arrays in JAX, which its methods cannot train. The names in its state dict stay.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial

import libcst as cst

from torch2jax.facts.infer import all_marks
from torch2jax.facts.self_training import Division, divide, own_names
from torch2jax.normalize.own_fields import calls_around, instances
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.ops.modules import MODULE_NAMES, PLACING
from torch2jax.program.program import Class, Function, dotted
from torch2jax.program.statements import suite_body
from torch2jax.syntax.codegen import code
from torch2jax.syntax.edits import Rewriter
from torch2jax.syntax.fresh import FreshNames
from torch2jax.syntax.problem import Problem
from torch2jax.syntax.quote import quote, quote_statement
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind

_Means = Mapping[
    str, Callable[[str], bool]
]  # class -> whether a name that its objects are asked for is one of what computes
_CONTAINERS = frozenset({Kind.LIST, Kind.TUPLE, Kind.DICT})
_DIVIDED = "divided"  # marks (class, field): its objects hold in the field what they train


def normalize_self_training(work: NormalizationRound) -> None:
    """Divide all such classes, and ask their objects for what they hold where it is meant."""
    divided = {mark[1]: mark[2] for mark in all_marks(work.program) if mark[0] == _DIVIDED}
    others = [work.program.class_by_key[key] for key in divided if key in work.program.class_by_key]
    means: _Means = {item.key: partial(_is_of_network, work, item, divided[item.key]) for item in others}
    for item in others:
        if item.node not in work.program.classes:
            _settle_uses(work, item, divided[item.key], means)
    if not work.program.mentions("Module"):
        return
    found = {item.key: division for item in _candidates(work, divided) if (division := _divided(work, item))}
    while refused := [key for key, division in found.items() if _is_refused(work, division.item, found)]:
        for key in refused:
            del found[key]
    if found:
        place = _free_field(found.values())
        for division in found.values():
            _divide(work, division, place)
        _settle_all(work, found, place)


def _candidates(work: NormalizationRound, divided: Mapping[str, str]) -> Iterator[Class]:
    """The classes of modules of the file that stand alone, and are not divided yet."""
    for item in work.program.classes.values():
        if item.key not in divided and item.is_module and not _is_derived_from(work, item):
            yield item


def _divided(work: NormalizationRound, item: Class) -> Division | None:
    assert work.effects is not None
    return divide(item, work.values, work.effects.tables)


def _is_refused(work: NormalizationRound, item: Class, found: Mapping[str, Division]) -> bool:
    means = {key: partial(_is_inner, division) for key, division in found.items()}
    return any(_refused(work, item, node, "", means) for node in instances(work, item, _CONTAINERS))


def _is_inner(division: Division, name: str) -> bool:
    """Whether a name that an object is asked for is one of what computes."""
    if name in division.fields | division.methods:
        return True
    return name in MODULE_NAMES and name not in set(own_names(division.item))


def _free_field(divisions: Iterable[Division]) -> str:
    """A name for the field with what computes that no class has."""
    words = {node.value for item in divisions for node in descendants(item.item.node) if isinstance(node, cst.Name)}
    return FreshNames(words)("network")


def _is_derived_from(work: NormalizationRound, item: Class) -> bool:
    return any(other is not item and item in other.lineage for other in work.program.class_by_key.values())


def _divide(work: NormalizationRound, division: Division, place: str) -> None:
    item = division.item
    name = work.fresh(_network_name(item.name))
    for node, own in _own_uses(work, division):
        if own:
            work.edits.replace(node, partial(_inner, node, place))
    work.edits.rewrite_statement(item.node, partial(_classes, division, name, place))
    work.marks.add((_DIVIDED, item.key, place))


def _settle_all(work: NormalizationRound, found: Mapping[str, Division], place: str) -> None:
    """Ask all objects of classes that are divided for what is meant."""
    means = {key: partial(_is_inner, division) for key, division in found.items()}
    done: set[cst.CSTNode] = set()
    for division in found.values():
        for node in instances(work, division.item, _CONTAINERS):
            if node not in done and not any(_is_self(work, other.item, node) for other in found.values()):
                done.add(node)
                _settle(work, node, place, means)


def _network_name(name: str) -> str:
    return f"{name}Module" if name.lower().endswith(("net", "network", "model")) else f"{name}Network"


# the class itself


def _own_uses(work: NormalizationRound, division: Division) -> Iterator[tuple[cst.Name, bool]]:
    """The uses of `self` in the methods that train, and whether what computes is meant."""
    item = division.item
    for method in item.methods.values():
        if method.name in division.methods:
            continue
        lines = set(division.lines) if method.name == "__init__" else set()
        for line in suite_body(method.node):
            for node in descendants(line) if line not in lines else ():
                if isinstance(node, cst.Name) and node.value == method.self_name:
                    yield node, _means_network(work, division, node)


def _means_network(work: NormalizationRound, division: Division, node: cst.Name) -> bool:
    parent = work.index.parents[node]
    if isinstance(parent, cst.Attribute) and parent.value is node:
        name = parent.attr.value
        known = set(own_names(division.item))
        return name in division.fields | division.methods or (name not in known and name in MODULE_NAMES)
    return isinstance(parent, cst.Call) and parent.func is node


def _inner(node: cst.BaseExpression, place: str, rewrite: Rewriter) -> cst.CSTNode:
    inside = rewrite.inside(node)
    assert isinstance(inside, cst.BaseExpression)
    return cst.Attribute(inside, cst.Name(place))


def _classes(division: Division, name: str, place: str, rewrite: Rewriter) -> list[cst.BaseStatement]:
    """The two classes that take the place of one."""
    node = division.item.node
    block = cst.ensure_type(node.body, cst.IndentedBlock)
    computing: list[cst.BaseStatement] = []
    training: list[cst.BaseStatement] = []
    for line in block.body:
        if not isinstance(line, cst.FunctionDef):
            training.append(line)
        elif line.name.value == "__init__":
            computing.append(_network_init(division, line, name))
            training.append(_init(division, line, name, place, rewrite))
        elif line.name.value in division.methods:
            computing.append(line)
        else:
            training.extend(rewrite.statement(line))
    network = node.with_changes(name=cst.Name(name), body=block.with_changes(body=_tidied(computing)))
    trainer = node.with_changes(
        bases=[], lpar=cst.MaybeSentinel.DEFAULT, rpar=cst.MaybeSentinel.DEFAULT,
        body=block.with_changes(body=_tidied(training), header=cst.TrailingWhitespace()),
        leading_lines=[cst.EmptyLine(indent=False), cst.EmptyLine(indent=False)],
    )  # fmt: skip
    return [network, trainer]


def _tidied(lines: Sequence[cst.BaseStatement]) -> list[cst.BaseStatement]:
    """The body of a class: a method that has come to stand first needs no blank line above it, another one does."""
    found = list(lines)
    for position, line in enumerate(found):
        blank = [item for item in line.leading_lines if item.comment is None]  # type: ignore[attr-defined]
        if position == 0 and isinstance(line, cst.FunctionDef):
            own = [item for item in line.leading_lines if item.comment is not None]
            found[position] = line.with_changes(leading_lines=own)
        elif isinstance(line, cst.FunctionDef) and not blank:
            found[position] = line.with_changes(leading_lines=[cst.EmptyLine(indent=False), *line.leading_lines])
    return found


def _network_init(division: Division, init: cst.FunctionDef, name: str) -> cst.FunctionDef:
    given = set(division.parameters)
    own, *others = [*init.params.posonly_params, *init.params.params, *init.params.kwonly_params]
    kept = [
        own,
        *(
            item.with_changes(default=None, equal=cst.MaybeSentinel.DEFAULT)
            for item in others
            if item.name.value in given
        ),
    ]
    params = cst.Parameters([item.with_changes(comma=cst.MaybeSentinel.DEFAULT) for item in kept])
    body = [_plain_super(line, division.item.name) for line in division.lines]
    if len(body) > 1 and all(item.comment is None for item in body[1].leading_lines):  # type: ignore[attr-defined]
        body[1] = body[1].with_changes(leading_lines=[])
    return init.with_changes(params=params, body=cst.IndentedBlock(body), decorators=[])


def _plain_super(line: cst.BaseStatement, old: str) -> cst.BaseStatement:
    """A line without the old name of the class: `super(PPO, self).__init__()`."""
    for node in descendants(line):
        match node:
            case cst.Call(func=cst.Name("super"), args=[cst.Arg(value=cst.Name(name)), _]) if name == old:
                made = line.deep_replace(node, quote("super()"))
                assert isinstance(made, cst.BaseStatement)
                return made
    return line


def _init(division: Division, init: cst.FunctionDef, name: str, place: str, rewrite: Rewriter) -> cst.FunctionDef:
    own = division.item.methods["__init__"].self_name
    arguments = [cst.Name(item) for item in division.parameters]
    made = quote_statement(f"{own}.{place} = {name}({{*given}})", given=arguments)
    body: list[cst.BaseStatement] = []
    is_made = False
    for line in suite_body(init):
        if line in division.lines and line not in division.shared:
            body += [] if is_made else [made]
            is_made = True
        else:
            body.extend(rewrite.statement(line))
    changed = cst.ensure_type(rewrite.inside(init), cst.FunctionDef)
    return changed.with_changes(body=cst.IndentedBlock(body))


# its objects


def _is_self(work: NormalizationRound, item: Class, node: cst.BaseExpression) -> bool:
    function: Function | None = work.program.function_around(node)
    while function is not None and function.owner is None:
        function = function.outer
    return function is not None and function.owner is item and dotted(node) == function.self_name


def _refused(work: NormalizationRound, item: Class, node: cst.BaseExpression, place: str, means: _Means) -> bool:
    """Whether something is asked of an object, or done with it, that neither part of it can do."""
    value, parent = work.values(node), work.index.parents[node]
    if value.kind not in (Kind.MODULE, Kind.OBJECT):
        return not all(_may_be_given(work, call) for call in calls_around(work, node)) or _is_kept_by_module(work, node)
    if not value.types <= means.keys() or _is_kept_by_module(work, node):
        return True
    if isinstance(parent, cst.Attribute) and parent.value is node:
        name = parent.attr.value
        if len({means[key](name) for key in value.types}) > 1:
            return True
        if name in set(own_names(item)) or name == place:
            return False
        if name not in MODULE_NAMES:
            return not means[item.key](name)
        call = work.index.parents[parent]
        is_whole = name in PLACING | {"train", "eval", "float", "double", "half", "requires_grad_", "apply"}
        is_line = isinstance(work.index.parents[call], cst.Expr)
        return is_whole and not is_line and not (name in PLACING and _is_placed(work, call))
    if isinstance(parent, cst.Call) and parent.func is node:
        return False
    return not all(_may_be_given(work, call) for call in calls_around(work, node))


def _is_of_network(work: NormalizationRound, item: Class, place: str, name: str) -> bool:
    """Whether a name that an object of another file is asked for is one of what computes in it."""
    if name in set(own_names(item)):
        return False
    held = item.field_value(place)
    classes = [work.program.class_by_key.get(key) for key in held.types] if held is not None else []
    known = bool(classes) and all(other is not None and name in set(own_names(other)) for other in classes)
    return known or name in MODULE_NAMES


def _is_placed(work: NormalizationRound, call: cst.CSTNode) -> bool:
    """Whether a call of `to`, `cuda` or `cpu` names nothing but a place."""
    return isinstance(call, cst.Call) and all(
        not argument.star and work.values(argument.value).kind in (Kind.DEVICE, Kind.STR) for argument in call.args
    )


def _may_be_given(work: NormalizationRound, call: cst.Call) -> bool:
    """Whether such an object may be an argument of a call: of a function of the program, of `super`, of what goes through a list."""
    known = ("super", "enumerate", "zip", "len", "list", "tuple", "reversed")
    if work.values.callees.get(call) or dotted(call.func) in known or _grows_list(work, call):
        return True
    return dotted(call.func) in ("deepcopy", "copy.deepcopy") and not _holds_device(work, call)


def _grows_list(work: NormalizationRound, call: cst.Call) -> bool:
    """Whether a call puts something into a list of Python's."""
    match call.func:
        case cst.Attribute(value=owner, attr=cst.Name("append" | "insert")):
            return work.values(owner).kind is Kind.LIST
    return False


def _holds_device(work: NormalizationRound, call: cst.Call) -> bool:
    """Whether an object that is copied has a device in a field, which JAX copies in no object."""
    items = [work.program.class_by_key.get(key) for given in call.args for key in work.values(given.value).types]
    return any(item is None or any(value.kind is Kind.DEVICE for _, value in item.all_fields()) for item in items)


def _is_kept_by_module(work: NormalizationRound, node: cst.BaseExpression) -> bool:
    """Whether an expression is a field of a module, which would list the parameters of the object among its own."""
    if not isinstance(node, cst.Attribute):
        return False
    return work.values(node.value).kind is Kind.MODULE


def _settle(work: NormalizationRound, node: cst.BaseExpression, place: str, means: _Means) -> None:
    """Ask the part of an object that is meant."""
    value, parent = work.values(node), work.index.parents[node]
    if value.kind not in (Kind.MODULE, Kind.OBJECT):
        return
    if isinstance(parent, cst.Call) and parent.func is node:
        work.edits.replace(node, partial(_inner, node, place))
    if not isinstance(parent, cst.Attribute) or parent.value is not node or parent.attr.value == place:
        return
    name, call = parent.attr.value, work.index.parents[parent]
    if not all(means[key](name) for key in value.types):
        return
    if name in PLACING and not isinstance(work.index.parents[call], cst.Expr):
        work.edits.replace(call, lambda rewrite: rewrite.expression(node))
    else:
        work.edits.replace(node, partial(_inner, node, place))


def _settle_uses(work: NormalizationRound, item: Class, place: str, means: _Means) -> None:
    """In a file that imports such a class: ask its objects for what is meant, and report what neither part can do."""
    told: set[cst.CSTNode] = set()
    for node in sorted(instances(work, item, _CONTAINERS), key=lambda node: len(list(descendants(node)))):
        line, parent = work.index.statement_of(node), work.index.parents[node]
        if line in told or node in work.edits.nodes:
            continue
        if _refused(work, item, node, place, means):
            told.add(line)
            name = code(parent if isinstance(parent, cst.Attribute) else node)
            work.problems.append(Problem(node, "T2J603", {"name": name}))
        else:
            _settle(work, node, place, means)


__all__ = ["normalize_self_training"]
