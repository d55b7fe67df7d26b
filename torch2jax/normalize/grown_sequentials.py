"""Sequences of layers that grow after they are made: the layers are gathered first, and the sequence is made of all of them.

self.net = nn.Sequential()                        ->   layers = {}
for i in range(n):                                     for i in range(n):
    self.net.add_module(f"fc{i}", nn.Linear(4, 4))         layers[f"fc{i}"] = nn.Linear(4, 4)
                                                       self.net = nn.Sequential(layers)

net = nn.Sequential(nn.ReLU())                    ->   layers = [nn.ReLU()]
net.append(nn.Linear(4, 4))                            layers.append(nn.Linear(4, 4))
                                                       net = nn.Sequential(*layers)

if norm:                                          ->   if norm:
    net = nn.Sequential(nn.BatchNorm1d(4))                 layers = [nn.BatchNorm1d(4)]
else:                                                  else:
    net = nn.Sequential(nn.ReLU())                         layers = [nn.ReLU()]
net.append(nn.Linear(4, 4))                            layers.append(nn.Linear(4, 4))
                                                       net = nn.Sequential(*layers)
"""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.program import Function, dotted
from torch2jax.records import dataclass
from torch2jax.syntax.quote import quote_statement
from torch2jax.syntax.walk import descendants, is_label
from torch2jax.values import Kind

_KINDS_OF_PARTS = (Kind.MODULE, Kind.TENSOR, Kind.PARAMETERS, Kind.UNKNOWN)


@dataclass(frozen=True, slots=True)
class _Growing:
    """A sequence: where it is made, once or once on each way, the statement with these lines, its place, the calls that add to
    it, and the statement behind which it is complete.
    """

    made: tuple[cst.Assign, ...]
    start: cst.BaseStatement
    place: str
    calls: tuple[cst.Call, ...]
    last: cst.BaseStatement
    first_at: int
    last_at: int

    @property
    def is_named(self) -> bool:
        return _method(self.calls[0]) == "add_module"


def normalize_grown_sequentials(work: NormalizationRound) -> None:
    """Normalize all such sequences of a file, of one function in a round."""
    if not work.program.mentions("Sequential") or not (
        work.program.mentions("add_module") or work.program.mentions("append")
    ):
        return
    blocks: dict[cst.CSTNode, list[_Growing]] = {}
    starts = [((node,), work.index.parents[node]) for node in work.index.every(cst.Assign)]
    choices = [(made, node) for node in work.index.every(cst.If) for made in _made_on_each_way(work, node)]
    taken: set[cst.Assign] = set()
    for made, start in (*choices, *starts):
        found = _growing(work, made, start) if taken.isdisjoint(made) else None
        if found is not None:
            taken.update(made)
            blocks.setdefault(work.index.parents[found.start], []).append(found)
    for block, several in blocks.items():
        assert isinstance(block, (cst.IndentedBlock, cst.Module))
        kept = [item for item in several if _keeps_order(work, block, item, several)]
        fresh = work.names_at(block)
        for item in kept:
            _normalize(work, item, fresh("layers"))


def _made_on_each_way(work: NormalizationRound, node: cst.If) -> list[tuple[cst.Assign, ...]]:
    """The lines that make a sequence, one in each branch, for each place that all branches give one."""
    ways: list[dict[str, list[cst.Assign]]] = []
    branch: cst.If | cst.Else | None = node
    while branch is not None:
        made: dict[str, list[cst.Assign]] = {}
        for line in branch.body.body:
            match line:
                case cst.SimpleStatementLine(body=[cst.Assign(targets=[target]) as assign]) if _is_sequential(
                    work, assign
                ):
                    made.setdefault(dotted(target.target) or "", []).append(assign)
        ways.append(made)
        if isinstance(branch, cst.If) and branch.orelse is None:
            return []  # a way that makes none
        branch = branch.orelse if isinstance(branch, cst.If) else None
    places = [place for place in ways[0] if place and all(len(made.get(place, ())) == 1 for made in ways)]
    return [tuple(made[place][0] for made in ways) for place in places]


def _growing(work: NormalizationRound, made: tuple[cst.Assign, ...], start: cst.CSTNode) -> _Growing | None:
    block = work.index.parents.get(start)
    place = dotted(made[0].targets[0].target) if len(made[0].targets) == 1 else None
    is_line = isinstance(start, cst.If) or (isinstance(start, cst.SimpleStatementLine) and len(start.body) == 1)
    if place is None or not is_line or not all(_is_sequential(work, node) for node in made):
        return None
    assert isinstance(start, cst.BaseStatement)
    function = work.program.function_around(start)
    root, _, field = place.partition(".")
    if not isinstance(block, (cst.IndentedBlock, cst.Module)) or "." in field:
        return None
    if field and (function is None or function.self_name != root):
        return None
    at = next(number for number, item in enumerate(block.body) if item is start)
    calls, last = _calls(work, block.body[at + 1 :], place)
    if not calls:
        return None
    calls = [*(_calls(work, [start], place)[0] if isinstance(start, cst.If) else ()), *calls]
    if len({_method(call) for call in calls}) != 1:
        return None
    if any(_first_layers(work, node, _method(calls[0]) == "add_module") is None for node in made):
        return None
    behind = block.body[at + 1 : at + 2 + last]
    branches = [start] if isinstance(start, cst.If) else []
    if not all(_is_addition(work, call) for call in calls):
        return None
    if not _only_grows(work, [*branches, *behind], place, calls, function, made):
        return None
    return _Growing(made, start, place, tuple(calls), behind[-1], at, at + 1 + last)


def _is_sequential(work: NormalizationRound, node: cst.Assign) -> bool:
    return isinstance(node.value, cst.Call) and work.values.torch_name(node.value.func) == "torch.nn.Sequential"


def _first_layers(work: NormalizationRound, node: cst.Assign, is_named: bool) -> cst.BaseExpression | None:
    """What a sequence begins with, as a list or a dict that may grow; None where nobody knows which it would be."""
    given = cst.ensure_type(node.value, cst.Call).args
    if any(item.keyword is not None or item.star == "**" for item in given):
        return None
    if len(given) == 1 and not given[0].star and work.values(given[0].value).kind is not Kind.MODULE:
        made = given[0].value
        is_new = isinstance(made, cst.Dict) or (isinstance(made, cst.Call) and work.values(made).kind is Kind.DICT)
        return made if is_named and is_new else None
    if not is_named:
        return cst.List([_element(item) for item in given])
    if any(item.star for item in given):
        return None
    return cst.Dict([cst.DictElement(cst.SimpleString(f'"{n}"'), item.value) for n, item in enumerate(given)])


def _element(item: cst.Arg) -> cst.BaseElement:
    return cst.StarredElement(item.value) if item.star else cst.Element(item.value)


def _method(call: cst.Call) -> str:
    return call.func.attr.value if isinstance(call.func, cst.Attribute) else ""


def _calls(work: NormalizationRound, body: Sequence[cst.CSTNode], place: str) -> tuple[list[cst.Call], int]:
    """The calls that add to a sequence, and the number of the last statement that runs one of them."""
    found: list[cst.Call] = []
    helpers: set[str] = set()
    last = -1
    for number, statement in enumerate(body):
        for node in (statement, *descendants(statement)):
            match node:
                case cst.Call(func=cst.Attribute(value=owner, attr=cst.Name("add_module" | "append"))):
                    if dotted(owner) == place:
                        found.append(node)
                        if isinstance(statement, cst.FunctionDef):
                            helpers.add(statement.name.value)
                        last = number
                case cst.Name(value=name) if name in helpers:
                    call = work.index.parents[node]
                    is_called = isinstance(call, cst.Call) and call.func is node
                    if not (is_called or call is statement):
                        return [], -1  # somebody may call it later
                    last = number
    return found, last


def _is_addition(work: NormalizationRound, call: cst.Call) -> bool:
    """Whether a call is a statement that is given a name and a layer, or a layer."""
    plain = all(item.keyword is None and not item.star for item in call.args)
    is_line = isinstance(work.index.parents[call], cst.Expr)
    return plain and is_line and len(call.args) == (2 if _method(call) == "add_module" else 1)


def _only_grows(
    work: NormalizationRound,
    statements: Sequence[cst.CSTNode],
    place: str,
    calls: Sequence[cst.Call],
    function: Function | None,
    made: Sequence[cst.Assign],
) -> bool:
    """Whether nothing looks at a sequence while it grows."""
    owners = {call.func.value for call in calls if isinstance(call.func, cst.Attribute)}
    owners |= {node.targets[0].target for node in made}
    root, _, field = place.partition(".")
    for statement in statements:
        for node in (statement, *descendants(statement)):
            match node:
                case cst.Yield() | cst.Await() | cst.ClassDef() | cst.Global() | cst.Nonlocal():
                    return False
                case cst.Try() if any(call in calls for call in descendants(node, cst.Call)):
                    return False
                case cst.Return() if not _is_in_helper(work, node, statement):
                    return False
                case cst.Attribute() if field and dotted(node) == place and node not in owners:
                    return False
                case cst.Name(value=name) if name == root and not is_label(node, work.index.parents[node]):
                    if field and not _is_harmless(work, node, function, field):
                        return False
                    if not field and node not in owners:
                        return False
    return True


def _is_in_helper(work: NormalizationRound, node: cst.CSTNode, statement: cst.CSTNode) -> bool:
    """Whether a node stands in a function that a statement defines."""
    return isinstance(statement, cst.FunctionDef) and work.index.function_of(node) is statement


def _is_harmless(work: NormalizationRound, name: cst.Name, function: Function | None, field: str) -> bool:
    """Whether `self` stands for one of its fields, or for a method that knows nothing of the sequence."""
    attribute = work.index.parents[name]
    if not isinstance(attribute, cst.Attribute) or function is None or function.owner is None:
        return False
    method = function.owner.method(attribute.attr.value)
    call = work.index.parents[attribute]
    if isinstance(call, cst.Call) and call.func is attribute and method is None:
        return False  # `self.apply(...)`, `self.modules()`
    if method is None:
        return True
    return all(not isinstance(item, cst.Name) or item.value not in (field, "modules", "children", "parameters", "apply")
               for item in descendants(method.node))  # fmt: skip


def _keeps_order(
    work: NormalizationRound, block: cst.IndentedBlock | cst.Module, item: _Growing, several: Sequence[_Growing]
) -> bool:
    """Whether the module still gets its parts in the order of the program."""
    root, _, field = item.place.partition(".")
    if not field:
        return True
    others = {other.place: other for other in several}
    is_chosen = isinstance(item.start, cst.If)
    for statement in block.body[item.first_at + (not is_chosen) : item.last_at + 1]:
        for node in (statement, *descendants(statement)):
            match node:
                case cst.Assign(targets=targets, value=value):
                    places = [dotted(target.target) or "" for target in targets]
                case cst.Call(func=cst.Attribute(value=cst.Name(owner), attr=cst.Name(method))) if owner == root:
                    if method in ("add_module", "register_module", "register_buffer", "register_parameter"):
                        return False
                    continue
                case _:
                    continue
            for place in () if node in item.made else places:
                other = others.get(place)
                keeps = other is not None and other.last_at > item.last_at
                if place.startswith(f"{root}.") and not keeps and _may_be_part(work, block, place, value):
                    return False
    return True


def _may_be_part(work: NormalizationRound, block: cst.CSTNode, place: str, value: cst.BaseExpression) -> bool:
    """Whether what a field is given may be a part: something unknown may, that is not compared, counted with, or the size of a layer."""
    kind = work.values(value).kind
    if kind is not Kind.UNKNOWN or not isinstance(value, cst.Name):
        return kind in _KINDS_OF_PARTS
    return not any(
        _is_used_as_number(work, node)
        for node in descendants(block)
        if isinstance(node, (cst.Name, cst.Attribute)) and dotted(node) in (value.value, place)
    )


def _is_used_as_number(work: NormalizationRound, node: cst.Name | cst.Attribute) -> bool:
    parent = work.index.parents[node]
    match parent:
        case cst.BinaryOperation():
            return True
        case cst.Comparison(comparisons=[cst.ComparisonTarget(operator=operator)]):
            return not isinstance(operator, (cst.Is, cst.IsNot, cst.In, cst.NotIn))
        case cst.Arg():
            call = work.index.parents[parent]
            layer = work.values.torch_name(call.func) if isinstance(call, cst.Call) else None
            assert work.effects is not None
            spec = work.effects.tables.layers.get(layer or "")
            return spec is not None and spec.draws_parameters()
    return False


def _assignment(text: str, **holes: cst.BaseExpression) -> cst.BaseSmallStatement:
    return cst.ensure_type(quote_statement(text, **holes), cst.SimpleStatementLine).body[0]


def _normalize(work: NormalizationRound, item: _Growing, name: str) -> None:
    for node in item.made:
        first, line = _first_layers(work, node, item.is_named), work.index.parents[node]
        assert first is not None and isinstance(line, cst.SimpleStatementLine)
        made = quote_statement(f"{name} = {{first}}", first=work.copy(first))
        made = made.with_changes(leading_lines=line.leading_lines)
        work.edits.rewrite_statement(line, lambda rewrite, made=made: [made])  # type: ignore[misc]
    for call in item.calls:
        if item.is_named:
            key, value = (argument.value for argument in call.args)
            statement = work.index.parents[call]
            work.edits.replace(
                statement,
                lambda rewrite, key=key, value=value: _assignment(  # type: ignore[misc]
                    f"{name}[{{key}}] = {{value}}", key=rewrite.expression(key), value=rewrite.expression(value)
                ),
            )
        else:
            work.edits.replace(cst.ensure_type(call.func, cst.Attribute).value, lambda rewrite: cst.Name(name))
    target: cst.BaseExpression = item.made[0].targets[0].target
    maker = cst.ensure_type(item.made[0].value, cst.Call).func
    given = name if item.is_named else f"*{name}"
    sequence = quote_statement(f"{{place}} = {{maker}}({given})", place=work.copy(target), maker=work.copy(maker))
    work.edits.after(item.last, lambda rewrite: [sequence])


__all__ = ["normalize_grown_sequentials"]
