"""The statements of functions, where these are called.

loss = self.compute_loss(batch)         ->    x, y = batch
                                              loss = F.cross_entropy(self.model(x), y)

What has to stand in sight of a training step is written out so; a function that nothing calls any more goes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import libcst as cst

from torch2jax.normalize.evaluation_order import evaluated_before, give_name
from torch2jax.normalize.one_ending import with_one_ending
from torch2jax.normalize.own_fields import may_be_of
from torch2jax.normalize.rounds import Node, NormalizationRound
from torch2jax.program.calls import arguments_by_parameter
from torch2jax.program.flow import free_variables
from torch2jax.program.program import Function, dotted, place_of
from torch2jax.program.statements import suite_body
from torch2jax.records import dataclass
from torch2jax.syntax.edits import always, always_statements, is_docstring
from torch2jax.syntax.fresh import FreshNames
from torch2jax.syntax.quote import names_in, quote_statement
from torch2jax.syntax.walk import bound_names, descendants, own_nodes
from torch2jax.values import Kind

_STAYING = (cst.Yield, cst.Await, cst.Global, cst.Nonlocal, cst.FunctionDef, cst.ClassDef, cst.Lambda)


def write_out(
    work: NormalizationRound, call: cst.Call, function: Function, definition: cst.FunctionDef | None = None
) -> bool:
    """Put the statements of a function in front of the line that calls it; False where they do not mean the same there.

    `definition` is what its own comes to for this call, of the same parameters.
    """
    node = definition if definition is not None else function.node
    line = work.index.statement_of(call)
    before = evaluated_before(work.index, call)
    if not isinstance(line, (cst.SimpleStatementLine, cst.If, cst.For)) or before is None:
        return False
    if not runs_only(work, call, function):
        return False
    if not isinstance(work.index.parents[line], (cst.IndentedBlock, cst.Module)) or not is_row(function, definition):
        return False
    around = work.program.function_around(call)
    here = names_in(around.node) if around is not None else work.names_of_file()
    fresh = FreshNames(here)
    spread = _spread(call, function, fresh)
    plain, left, keywords = _without_rest(call if spread is None else spread.call, function)
    given = _arguments(work, plain, function, definition)
    imports = _imports_to_add(work, function)
    if given is None or imports is None:
        return False
    if around is not None and set(free_variables(function.node)) & (set(around.env) | set(around.parameter_names)):
        return False
    for added in imports:
        work.edits.before(work.first_import(line), always_statements([added]))
    over = _gone_through(function, given)
    if definition is not None:
        used = variables_in(node.body)
        given = {name: item for name, item in given.items() if name in used}
    names, first = _names(function, {name: item for name, item in given.items() if name not in over}, here, fresh)
    if spread is not None:
        first.insert(0, spread.line)
    if (others := function.double_star_name) is not None:
        names[others] = fresh(others) if others in here else others
        made = cst.Dict(
            [cst.DictElement(cst.SimpleString(f'"{name}"'), item.deep_clone()) for name, item in keywords.items()]
        )
        first.append(quote_statement(f"{names[others]} = {{made}}", made=made))
    rest = _named_rest(function, left, first, fresh)
    body = [item for item in suite_body(node) if not is_docstring(item)]
    last = body[-1] if body else None
    result: cst.BaseExpression | None = None
    if isinstance(last, cst.SimpleStatementLine) and isinstance(last.body[-1], cst.Return):
        result = last.body[-1].value
        body = body[:-1] if len(last.body) == 1 else [*body[:-1], last.with_changes(body=last.body[:-1])]
    loops = {names[name]: item for name, item in over.items()}
    statements = [*first, *(_going_through(rest.put(renamed(work, item, names)), loops) for item in body)]
    small = line.body[0] if isinstance(line, cst.SimpleStatementLine) else None
    is_statement = isinstance(small, cst.Expr) and small.value is call
    if is_statement:
        acts = result is not None and any(isinstance(node, cst.Call) for node in descendants(result))
        kept = (
            [cst.SimpleStatementLine([cst.Expr(rest.put(renamed(work, result, names)))])]
            if result is not None and acts
            else []
        )
        if len(statements) + len(kept) > len(first):
            work.edits.before(line, always_statements(statements[: len(first)]))
            statements = statements[len(first) :]
        work.edits.rewrite_statement(line, always_statements([*statements, *kept]))
        return bool(statements or kept)
    if result is None:
        return False
    value = rest.put(renamed(work, result, names))
    is_named = definition is not None and isinstance(value, cst.Name) and only_target(line, call) == value.value
    if is_named and statements:
        work.edits.before(line, always_statements(statements[:-1]))
        work.edits.rewrite_statement(line, always_statements(statements[-1:]))
        return True
    if not statements:  # it stands where the call does
        work.edits.replace(call, always(value))
        return True
    has_name = definition is not None and isinstance(value, cst.Name)
    if not has_name and not (isinstance(small, (cst.Assign, cst.Return)) and small.value is call):
        name = fresh("result")
        statements.append(quote_statement(f"{name} = {{value}}", value=value))
        value = cst.Name(name)
    needed = [item for item in map(_own_value, before) if _comes_first(item, body)]
    earlier = [item for item in needed if isinstance(item, cst.BaseExpression) and item not in work.edits.nodes]
    if len(earlier) < len(needed):
        return False
    for item in earlier:
        give_name(work, line, item, fresh("term"))
    work.edits.before(line, always_statements(statements))
    work.edits.replace(call, always(value))
    return True


def variables_in(node: cst.CSTNode) -> set[str]:
    """The names of variables in a node, not those of fields and keywords."""
    labels: set[cst.CSTNode] = {item.attr for item in descendants(node, cst.Attribute)}
    labels |= {item.keyword for item in descendants(node, cst.Arg) if item.keyword is not None}
    return {item.value for item in descendants(node, cst.Name) if item not in labels}


def runs_only(work: NormalizationRound, call: cst.Call, function: Function) -> bool:
    """Whether a call runs one function whatever its object is: no class that derives from that of the object has another one."""
    return work.effects is None or next(iter(work.effects.overriding(call, [function])), None) is None


def _own_value(node: cst.CSTNode) -> cst.CSTNode:
    """`f(x)` of `f(x).add` in `f(x).add(g(x))`: what is evaluated before `g(x)` and can have a name."""
    while isinstance(node, cst.Attribute) and any(isinstance(item, cst.Call) for item in descendants(node)):
        node = node.value
    return node


def _comes_first(node: cst.CSTNode, body: Sequence[cst.BaseStatement]) -> bool:
    """Whether an expression has to be evaluated before some statements: it calls something, or reads what they may change."""
    parts = [node, *descendants(node)]
    if any(isinstance(item, cst.Call) for item in parts):
        return True
    nodes = [item for statement in body for item in descendants(statement)]
    changes = any(
        isinstance(item, cst.Expr)
        or (isinstance(item, (cst.AssignTarget, cst.AugAssign)) and not isinstance(item.target, (cst.Name, cst.Tuple)))
        for item in nodes
    )
    return changes and any(isinstance(item, (cst.Attribute, cst.Subscript)) for item in parts)


def _imports_to_add(work: NormalizationRound, function: Function) -> list[cst.BaseStatement] | None:
    """The imports that give this file the modules which a function reads from around it, where it has not all of them; None if
    one of its names stands for something else here.
    """
    if "super" in names_in(function.node):
        return None
    if function.node in work.program.functions:
        return []
    home, here = work.program.modules.get(place_of(function.key)), work.program.module_env
    if home is None:
        return None
    names = [name for name in sorted(free_variables(function.node)) if name in home.module_env]
    missing = [name for name in names if here.get(name) != home.module_env[name]]
    taken = {item.value for item in work.index.names if not work.index.is_label(item)} if missing else set()
    if not taken.isdisjoint(missing):
        return None
    found = {name: item for item in home.index.every(cst.Import) for name in _imported(item)}
    if any(name not in found for name in missing):
        return None
    added = {id(found[name]): found[name] for name in missing}
    return [cst.SimpleStatementLine([item.deep_clone()]) for item in added.values()]


def _imported(node: cst.CSTNode) -> Iterator[str]:
    """The names that `import torch.nn as nn` binds."""
    for alias in node.names if isinstance(node, cst.Import) else ():
        bound = alias.asname.name if alias.asname is not None else alias.name
        yield str(dotted(bound)).split(".")[0]


def is_row(function: Function, definition: cst.FunctionDef | None = None) -> bool:
    """Whether a function, or what its definition comes to, is a row of statements that gives something back at its end only."""
    node = definition if definition is not None else function.node
    if node.decorators or node.asynchronous is not None:
        return False
    nodes = own_nodes(node)
    spread = [item.value for item in nodes if isinstance(item, cst.Arg) and item.star == "*"]
    rest = [item for item in nodes if isinstance(item, cst.Name) and item.value == function.star_name]
    if any(item not in spread for item in rest[1:]):
        return False  # more is done with the arguments that are left than to hand them on
    if any(isinstance(item, _STAYING) and item is not node for item in nodes):
        return False
    if any(isinstance(item, cst.ClassDef) for item in descendants(node.body)):
        return False
    body = suite_body(node)
    last = body[-1].body[-1] if body and isinstance(body[-1], cst.SimpleStatementLine) else None
    return all(item is last for item in nodes if isinstance(item, cst.Return))


def has_one_ending(function: Function) -> bool:
    """Whether a function that returns in branches is a row of statements where it does so at its end."""
    if function.node.decorators:
        return False
    made = with_one_ending(function.node, "result")
    return made is not None and is_row(function, made)


@dataclass(frozen=True, slots=True)
class _Spread:
    """A call with names for what `*batch` gives, and the line that binds them."""

    call: cst.Call
    line: cst.BaseStatement


def _spread(call: cst.Call, function: Function, fresh: FreshNames) -> _Spread | None:
    """`x, y = batch` for `f(*batch)` where all parameters that are left have to be given."""
    if not call.args or call.args[-1].star != "*" or any(item.star or item.keyword for item in call.args[:-1]):
        return None
    own = function.self_name is not None and isinstance(call.func, cst.Attribute)
    left = function.parameters[len(call.args) - 1 + own :]
    if not left or any(item.default is not None for item in left) or function.node.params.kwonly_params:
        return None
    names = [fresh(item.name.value) for item in left]
    plain = [*call.args[:-1], *(cst.Arg(cst.Name(name)) for name in names)]
    targets = ", ".join(names) + ("," if len(names) == 1 else "")
    line = quote_statement(f"{targets} = {{value}}", value=call.args[-1].value.deep_clone())
    return _Spread(call.with_changes(args=plain), line)


def _without_rest(call: cst.Call, function: Function) -> tuple[cst.Call, list[cst.Arg], dict[str, cst.BaseExpression]]:
    """A call without the arguments that `*args` and `**kwargs` take, and these; with them where they are not all in sight."""
    params = function.node.params
    own = function.self_name is not None and isinstance(call.func, cst.Attribute)
    number = len(params.posonly_params) + len(params.params) - own
    positional = [item for item in call.args if item.keyword is None]
    left = positional[number:] if function.star_name is not None else []
    if any(item.star for item in call.args):
        return call, [], {}
    named = [
        item for item in call.args if item.keyword is not None and item.keyword.value not in function.parameter_names
    ]
    named = named if function.double_star_name is not None else []
    kept = [item for item in call.args if item not in left and item not in named]
    return (
        call.with_changes(args=kept),
        left,
        {item.keyword.value: item.value for item in named if item.keyword is not None},
    )


@dataclass(frozen=True, slots=True)
class _Rest:
    """What stands in the place of `*args` where a function is written out."""

    name: str | None
    given: Sequence[cst.Arg]

    def put(self, node: Node) -> Node:
        return node.visit(_Spreading(self)) if self.name is not None else node  # type: ignore[return-value]


def _named_rest(
    function: Function, left: Sequence[cst.Arg], first: list[cst.BaseStatement], fresh: FreshNames
) -> _Rest:
    """The arguments that are left, each a constant or a name; a line in `first` gives one to what is more."""
    given = []
    for item in left:
        if dotted(item.value) is None and not isinstance(item.value, (cst.BaseNumber, cst.BaseString)):
            name = fresh(str(function.star_name).removesuffix("s"))
            first.append(quote_statement(f"{name} = {{value}}", value=item.value.deep_clone()))
            item = item.with_changes(value=cst.Name(name))
        given.append(item)
    return _Rest(function.star_name, given)


class _Spreading(cst.CSTTransformer):
    def __init__(self, rest: _Rest) -> None:
        super().__init__()
        self.rest = rest

    def leave_Arg(self, original_node: cst.Arg, updated_node: cst.Arg) -> cst.Arg | cst.FlattenSentinel[cst.Arg]:
        is_rest = original_node.star == "*" and dotted(original_node.value) == self.rest.name
        given = [cst.Arg(item.value.deep_clone()) for item in self.rest.given]
        return cst.FlattenSentinel(given) if is_rest else updated_node


def _arguments(
    work: NormalizationRound, call: cst.Call, function: Function, definition: cst.FunctionDef | None
) -> dict[str, cst.BaseExpression] | None:
    """What each parameter is given; None if that is not in sight."""
    if any(item.star for item in call.args):
        return None
    given = dict(arguments_by_parameter(function, call, work.values))
    if function.self_name is not None and function.self_name not in given:
        is_named = definition is None or function.self_name in variables_in(definition.body)
        receiver = receiver_of(work, call)
        if receiver is None or (is_named and not isinstance(receiver, cst.Name)):
            return None
        given[function.self_name] = receiver
    for param in function.parameters:
        if param.name.value not in given:
            if param.default is None or not isinstance(
                param.default, (cst.Integer, cst.Float, cst.Name, cst.SimpleString)
            ):
                return None
            given[param.name.value] = param.default
    return given if set(given) == set(function.parameter_names) else None


def receiver_of(work: NormalizationRound, call: cst.Call) -> cst.BaseExpression | None:
    """The object whose method a call runs: `net` of `net.act(x)`, and of `net(x)` if it is a module."""
    if work.values(call.func).kind is Kind.MODULE:
        return call.func
    is_object = isinstance(call.func, cst.Attribute) and work.values(call.func.value).kind is not Kind.CLASS
    return call.func.value if is_object else None  # type: ignore[attr-defined]


def _names(
    function: Function, given: Mapping[str, cst.BaseExpression], here: frozenset[str] | set[str], fresh: FreshNames
) -> tuple[dict[str, str], list[cst.BaseStatement]]:
    """What the variables of a function are called where it is called, and the lines that give parameters their values."""
    bound = {
        name
        for node in own_nodes(function.node)
        if isinstance(
            node, (cst.AssignTarget, cst.AugAssign, cst.AnnAssign, cst.NamedExpr, cst.For, cst.CompFor, cst.AsName)
        )
        for name in (names_in(node.name) if isinstance(node, cst.AsName) else bound_names(node.target))
    }
    inner = [node.name.value for node in descendants(function.node.body, cst.FunctionDef)]
    names: dict[str, str] = {}
    first: list[cst.BaseStatement] = []
    for name in dict.fromkeys((*function.parameter_names, *sorted(set(function.env) & bound), *inner)):
        argument = given.get(name)
        if isinstance(argument, cst.Name) and name not in bound:
            names[name] = argument.value
            continue
        names[name] = fresh(name) if name in here else name
        if argument is not None:
            first.append(quote_statement(f"{names[name]} = {{value}}", value=argument.deep_clone()))
    return names, first


def _gone_through(function: Function, given: Mapping[str, cst.BaseExpression]) -> dict[str, cst.BaseExpression]:
    """Lists of variables and the parameters of modules that a function is given, and only goes through: the loop may name them."""
    found: dict[str, cst.BaseExpression] = {}
    for name, argument in given.items():
        reads = [node for node in descendants(function.node.body) if isinstance(node, cst.Name) and node.value == name]
        listed = [node for loop in descendants(function.node.body, cst.For) for node in listed_in(loop.iter)]
        if len(reads) == 1 and reads[0] in listed and is_listed(argument):
            found[name] = argument
    return found


def listed_in(iterated: cst.BaseExpression) -> list[cst.BaseExpression]:
    """What a loop goes through, one beside the other: `a` and `b` of `zip(a, b)`, `a` of `list(a)`."""
    match iterated:
        case cst.Call(func=cst.Name("zip"), args=args) if not any(item.star or item.keyword for item in args):
            return [item.value for item in args]
        case cst.Call(func=cst.Name("list" | "tuple"), args=[cst.Arg(value=inner, star="", keyword=None)]):
            return [inner]
    return [iterated]


def is_listed(node: cst.BaseExpression) -> bool:
    """`[w, b]`, `model.parameters()`, `model.named_parameters()`, and what joins such: `list(a.parameters()) + list(b.parameters())`"""
    match node:
        case cst.List(elements=elements) | cst.Tuple(elements=elements):
            return bool(elements) and all(dotted(item.value) is not None for item in elements)
        case cst.Call(func=cst.Attribute(value=owner, attr=cst.Name("parameters" | "named_parameters")), args=[]):
            return dotted(owner) is not None
        case cst.Call(func=cst.Name("list" | "tuple"), args=[cst.Arg(value=inner, star="", keyword=None)]):
            return is_listed(inner)
        case cst.BinaryOperation(left=left, operator=cst.Add(), right=right):
            return is_listed(left) and is_listed(right)
        case cst.Call(func=function, args=args) if dotted(function) == "itertools.chain":
            return bool(args) and all(not item.star and is_listed(item.value) for item in args)
    return False


class _GoingThrough(cst.CSTTransformer):
    def __init__(self, loops: Mapping[str, cst.BaseExpression]) -> None:
        super().__init__()
        self.loops = loops

    def leave_For(self, original_node: cst.For, updated_node: cst.For) -> cst.For:
        return updated_node.with_changes(iter=self.named(updated_node.iter))

    def named(self, iterated: cst.BaseExpression) -> cst.BaseExpression:
        over = self.loops.get(dotted(iterated) or "")
        if over is not None:
            return over.deep_clone()
        if not isinstance(iterated, cst.Call) or listed_in(iterated) == [iterated]:
            return iterated
        return iterated.with_changes(args=[item.with_changes(value=self.named(item.value)) for item in iterated.args])


def _going_through(node: Node, loops: Mapping[str, cst.BaseExpression]) -> Node:
    """A statement whose loops over some variables name what these hold."""
    return node.visit(_GoingThrough(loops)) if loops else node  # type: ignore[return-value]


class _Renaming(cst.CSTTransformer):
    def __init__(self, names: Mapping[str, str]) -> None:
        super().__init__()
        self.names = names

    def leave_Name(self, original_node: cst.Name, updated_node: cst.Name) -> cst.Name:
        return updated_node.with_changes(value=self.names.get(original_node.value, original_node.value))

    def leave_Attribute(self, original_node: cst.Attribute, updated_node: cst.Attribute) -> cst.Attribute:
        return updated_node.with_changes(attr=original_node.attr.deep_clone())

    def leave_Arg(self, original_node: cst.Arg, updated_node: cst.Arg) -> cst.Arg:
        keyword = original_node.keyword
        return updated_node.with_changes(keyword=keyword.deep_clone() if keyword is not None else None)


def renamed(work: NormalizationRound, node: Node, names: Mapping[str, str]) -> Node:
    """A copy of a node with other names of variables."""
    made = node.deep_clone().visit(_Renaming(names))
    work.copies.update(zip(descendants(made), descendants(node), strict=True))  # type: ignore[arg-type]
    return made  # type: ignore[return-value]


def only_target(line: cst.CSTNode, call: cst.Call) -> str | None:
    """`loss` in the line `loss = self.loss_of(x)` of a call."""
    match line:
        case cst.SimpleStatementLine(
            body=[cst.Assign(targets=[cst.AssignTarget(target=cst.Name(name))], value=value)]
        ) if value is call:
            return name
    return None


def uses_of(work: NormalizationRound, function: Function) -> Iterator[cst.BaseExpression]:
    """Where a file names a function, or calls a method."""
    for node in (*work.index.names, *work.index.attributes):
        value = work.values(node)
        if value.kind is Kind.FUNCTION and function.key in value.types and not _is_part(work, node):
            yield node


def _is_part(work: NormalizationRound, node: cst.CSTNode) -> bool:
    """Whether a name is the end of an attribute, of an import, or the name of the definition itself."""
    parent = work.index.parents[node]
    is_end = isinstance(parent, cst.Attribute) and parent.attr is node
    return is_end or isinstance(parent, (cst.FunctionDef, cst.ImportAlias, cst.AsName))


def drop_unused(work: NormalizationRound, function: Function, *calls: cst.Call) -> None:
    """Take the definition of a function away that nothing but some calls refers to."""
    node, index = function.node, work.index
    if function.owner is not None:
        owner, others = function.owner, work.program.class_by_key.values()
        related = {item.key for item in others if owner in item.lineage or item in owner.lineage}
        every = [item for item in index.attributes if item.attr.value == function.name]
        uses = [item for item in every if may_be_of(work.values(item.value), related)]
    else:
        named = [item for item in index.names if item.value == function.name and item is not node.name]
        uses = [item for item in named if not index.is_label(item)]  # type: ignore[misc]
    own = set(descendants(node))
    uses = [item for item in uses if item not in own]
    block = index.parents.get(node)  # none for a function of another file
    if function.name in work.program.read_elsewhere:
        return
    if (
        uses
        and {*uses} <= {call.func for call in calls}
        and isinstance(block, (cst.IndentedBlock, cst.Module))
        and len(block.body) > 1
    ):
        work.edits.remove(node)


__all__ = [
    "drop_unused",
    "has_one_ending",
    "is_listed",
    "is_row",
    "listed_in",
    "only_target",
    "receiver_of",
    "renamed",
    "runs_only",
    "uses_of",
    "variables_in",
    "write_out",
]
