"""Layers that are given some of their arguments before, under a name that is only called: the calls make the layers themselves.

conv3x3 = partial(nn.Conv2d, kernel_size=3, padding=1)    ->
self.conv1 = conv3x3(8, 16)                                  self.conv1 = nn.Conv2d(8, 16, kernel_size=3, padding=1)
self.conv2 = conv3x3(16, 16, padding=2)                      self.conv2 = nn.Conv2d(16, 16, padding=2, kernel_size=3)
block = partial(Block, width=width)                       ->
self.mid = block(8)                                          self.mid = Block(8, width=width)

What is given before is a constant, or a variable of the same function that is bound once, or the entries of such a dict that nobody
changes: `partial(Block, **settings)`. Where the name of such a class of the program is more than called, it becomes a function,
which can be given a key:

block = partial(Block, width=width)                       ->   def block(size, *, width=width):
kind = block if first else Plain                                   return Block(size, width=width)
                                                               kind = block if first else Plain

So does any other `partial` of a class that draws where its modules are made, or of a layer that it gives what it cannot be without
(`partial(nn.Conv1d, kernel_size=1)`), and so do the layers that stand in its place elsewhere:

net = Net(partial(Block, width=4))                        ->   def make_block(size, *, width=4):
                                                                   return Block(size, width=width)
                                                               net = Net(make_block)
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence, Set
from functools import partial

import libcst as cst

from torch2jax.facts.effects import Draw
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.normalize.spread_dicts import written_entries
from torch2jax.ops.lowering import IGNORED
from torch2jax.ops.signatures import parse_signature
from torch2jax.program.calls import arguments_by_parameter
from torch2jax.program.definitions import Definition, How
from torch2jax.program.program import Class, dotted
from torch2jax.program.statements import assigned_pairs
from torch2jax.records import dataclass
from torch2jax.syntax.codegen import code
from torch2jax.syntax.edits import Rewriter, always_statements
from torch2jax.syntax.folding import literal_value
from torch2jax.syntax.fresh import words_of
from torch2jax.syntax.quote import names_in
from torch2jax.syntax.walk import bound_names, descendants
from torch2jax.values import Kind

_CONSTANTS = frozenset({"True", "False", "None"})


def normalize_partial_layers(work: NormalizationRound) -> None:
    """Normalize all such names of a file."""
    if work.effects is None or not work.program.mentions("partial"):
        return
    done: set[cst.Call] = set()
    for line in work.index.every(cst.SimpleStatementLine):
        match line.body:
            case [cst.Assign(targets=[cst.AssignTarget(target=cst.Name() as name)], value=cst.Call() as made)]:
                if _is_partial_layer(work, made) and _normalize(work, line, name, made):
                    done.add(made)
    drawing = [call for call in work.index.calls if call not in done and _makes_what_draws(work, call)]
    for node in (*drawing, *_layers_beside(work, {*drawing, *done})):
        _hoist(work, node)


def _makes_what_draws(work: NormalizationRound, call: cst.Call) -> bool:
    """Whether a call is `partial` of a class of modules that needs a key when it is made, or that is made of a field; or of a layer
    of torch that is given what it cannot be without: `partial(nn.Conv1d, kernel_size=1)`.
    """
    if work.values(call.func).const != "functools.partial" or not call.args or call.args[0].star:
        return False
    layer = call.args[0].value
    if work.values.torch_name(layer) is not None:
        parameters = _parameters(work, layer)
        named = {item.keyword.value for item in call.args if item.keyword is not None}
        return parameters is not None and any(parameters.defaults.get(name, layer) is None for name in named)
    owner = _class_of(work, layer) if _is_class_of_modules(work, layer) else None
    init = owner.method("__init__") if owner is not None else None
    if init is None or work.effects is None:
        return False
    place = _bound_to(work, call)
    return work.effects.of(init).draw is not Draw.NONE or (place is not None and "." in place[1])


def _layers_beside(work: NormalizationRound, made: Set[cst.Call]) -> list[cst.BaseExpression]:
    """The layers of torch, and partials of them, that stand where such a partial may stand as well: variables and parameters that
    one of them is given to, perhaps by way of others.
    """
    if not made:
        return []
    beside: dict[Hashable, set[Hashable]] = {}
    layers: list[cst.BaseExpression] = []

    def link(one: Hashable, other: Hashable) -> None:
        beside.setdefault(one, set()).add(other)
        beside.setdefault(other, set()).add(one)

    for place, value in _bindings(work):
        if isinstance(value, cst.Name) and (variable := work.program.definitions.scopes.variable(value)) is not None:
            link(place, variable)
        if value in made:
            link(place, value)
        elif work.effects is not None:
            layer = _layer_and_arguments(work, value)[0]
            if work.values.torch_name(layer) in work.effects.tables.layers and not _is_only_name(work, value):
                link(place, value)
                layers.append(value)
    together, waiting = set[Hashable](made), list[Hashable](made)
    while waiting:
        found = beside.get(waiting.pop(), set()) - together
        together |= found
        waiting += found
    return [value for value in layers if value in together]


def _is_only_name(work: NormalizationRound, value: cst.BaseExpression) -> bool:
    """Whether a layer of torch is named by a variable of the program, which stands for what that is given."""
    return isinstance(value, cst.Name) and any(
        item.how is not How.IMPORTED for item in work.program.definitions.every_of_name(value)
    )


def _bindings(work: NormalizationRound) -> Iterator[tuple[Hashable, cst.BaseExpression]]:
    """The variables, fields and parameters of the file with what each may be given: by assignments, defaults and calls."""
    scopes = work.program.definitions.scopes
    for assign in work.index.every(cst.Assign):
        for item in assign.targets:
            for target, value in assigned_pairs(item.target, assign.value):
                place = scopes.variable(target) if isinstance(target, cst.Name) else None
                if place is not None or isinstance(target, cst.Attribute):
                    field = (work.index.function_of(assign), dotted(target))
                    yield from ((place or field, arm) for arm in _arms(value))
    for param in work.index.every(cst.Param):
        if param.default is not None:
            yield from ((scopes.variable(param.name), arm) for arm in _arms(param.default))
    for call, callees in work.values.callees.items():
        for callee in callees if call in work.index.parents else ():
            names = {item.name.value: item.name for item in callee.parameters if item in work.index.parents}
            for name, value in arguments_by_parameter(callee, call, work.values):
                if name in names:
                    yield from ((scopes.variable(names[name]), arm) for arm in _arms(value))


def _arms(value: cst.BaseExpression) -> list[cst.BaseExpression]:
    """The expressions one of which a value is: both of `nn.Linear if flat else conv`."""
    return [*_arms(value.body), *_arms(value.orelse)] if isinstance(value, cst.IfExp) else [value]


def _layer_and_arguments(
    work: NormalizationRound, made: cst.BaseExpression
) -> tuple[cst.BaseExpression, Sequence[cst.Arg]]:
    """The class that a partial is of, and what it is given; an expression that is none is of itself."""
    if isinstance(made, cst.Call) and work.values(made.func).const == "functools.partial" and made.args:
        return made.args[0].value, made.args[1:]
    return made, ()


def _bound_to(work: NormalizationRound, made: cst.BaseExpression) -> tuple[cst.CSTNode | None, str] | None:
    """The function, and what an assignment in it gives an expression to, perhaps as one of two."""
    node: cst.CSTNode = made
    while isinstance(around := work.index.parents[node], cst.IfExp) and node is not around.test:
        node = around
    match work.index.parents[node]:
        case cst.Assign(targets=[cst.AssignTarget(target=target)]) if (place := dotted(target)) is not None:
            return work.index.function_of(made), place
    return None


def _hoist(work: NormalizationRound, made: cst.BaseExpression) -> None:
    """Put a function in front of the statement of a partial, which makes what that makes, unless it is called where it stands."""
    match work.index.parents[made]:
        case cst.Call(func=func) as call if func is made and not any(item.star for item in call.args):
            if all(_is_same_ahead(item.value, frozenset(), is_sure=True) for item in made.args[1:]):  # type: ignore[attr-defined]
                work.edits.replace(call, partial(_made, call, cst.ensure_type(made, cst.Call)))
            return
    line: cst.CSTNode = work.index.statement_of(made)
    block = work.index.parents[line]
    if isinstance(owner := work.index.parents.get(block), cst.ClassDef):
        if not isinstance(line, cst.FunctionDef):
            return  # a function that a class keeps is a method
        line, block = owner, work.index.parents[owner]
    is_header = isinstance(line, (cst.If, cst.While)) or isinstance(block, (cst.If, cst.Else))
    below = set(descendants(line))
    inside = [node for node in work.index.ancestors(made) if node in below]
    if is_header or any(isinstance(node, cst.Lambda) for node in inside):
        return
    local = {name for node in below for name in _bound_inside(node)}
    is_sure = not any(isinstance(node, (cst.IfExp, cst.BooleanOperation)) for node in inside)
    layer, given = _layer_and_arguments(work, made)
    if not all(_is_same_ahead(item.value, local, is_sure) for item in given):
        return
    name = work.fresh(f"make_{words_of(code(layer).rpartition('.')[2])}")
    function = _function(work, name, layer, given)
    if function is not None:
        work.edits.before(line, always_statements([function]))
        work.edits.replace(made, lambda rewrite: cst.Name(name))


def _bound_inside(node: cst.CSTNode) -> set[str]:
    """The variables that an expression binds itself."""
    if isinstance(node, (cst.CompFor, cst.NamedExpr)):
        return bound_names(node.target)
    return {item.name.value for item in node.params.params} if isinstance(node, cst.Lambda) else set()


def _is_same_ahead(value: cst.BaseExpression, local: Set[str], is_sure: bool) -> bool:
    """Whether an expression is the same in front of its statement: it acts on nothing, and cannot fail unless it runs anyway."""
    for node in (value, *descendants(value)):
        if isinstance(node, (cst.Lambda, cst.NamedExpr, cst.Await, cst.Yield, cst.CompFor)):
            return False
        if isinstance(node, cst.Call) and dotted(node.func) not in ("partial", "functools.partial"):
            return False
        if isinstance(node, (cst.Attribute, cst.Subscript, cst.BinaryOperation)) and not is_sure:
            return False
        if isinstance(node, cst.Name) and node.value in local:
            return False
    return True


def _is_partial_layer(work: NormalizationRound, made: cst.Call) -> bool:
    """Whether a call is `partial` of a layer of torch, or of a class of modules of the program, with arguments that are the
    same wherever they are evaluated.
    """
    assert work.effects is not None
    if work.values(made.func).const != "functools.partial" or len(made.args) < 2:
        return False
    layer, *given = made.args
    if layer.star or layer.keyword is not None:
        return False
    is_layer = work.values.torch_name(layer.value) in work.effects.tables.layers
    if not is_layer and not _is_class_of_modules(work, layer.value):
        return False
    return all((not item.star or _is_unchanged_dict(work, item)) and _is_lasting(work, item.value) for item in given)


def _is_unchanged_dict(work: NormalizationRound, item: cst.Arg) -> bool:
    """Whether an argument is `**settings`, of a variable of which every use but its binding hands its entries on."""
    if item.star != "**" or not isinstance(item.value, cst.Name):
        return False
    bound = work.program.definitions.bound_once(item.value)
    parents = [work.index.parents[use] for use in work.program.definitions.uses(bound)] if bound is not None else []
    return bound is not None and all(isinstance(node, cst.Arg) and node.star == "**" for node in parents)


def _named_entries(work: NormalizationRound, item: cst.Arg) -> frozenset[str] | None:
    """The keys of the dict of which the entries are given, as far as its binding shows them."""
    bound = work.program.definitions.bound_once(cst.ensure_type(item.value, cst.Name))
    entries = written_entries(bound.value) if bound is not None else None
    return frozenset(entries) if entries is not None else None


def _is_class_of_modules(work: NormalizationRound, named: cst.BaseExpression) -> bool:
    """Whether an expression is the name of one class of modules of the file, or of another file."""
    value = work.values(named)
    if not isinstance(named, cst.Name) or work.program.definitions.bound_once(named) is None:
        return False
    classes = [work.program.class_by_key.get(key) for key in value.types] if value.kind is Kind.CLASS else []
    return len(classes) == 1 and classes[0] is not None and classes[0].is_module


def _is_lasting(work: NormalizationRound, value: cst.BaseExpression) -> bool:
    """Whether an expression is made of constants, and of variables of the function around that are bound once."""
    for node in (value, *descendants(value)):
        if isinstance(node, (cst.Call, cst.Lambda, cst.Attribute, cst.List, cst.Dict, cst.NamedExpr, cst.Await)):
            return False
        if isinstance(node, cst.Name) and node.value not in _CONSTANTS:
            bound = work.program.definitions.bound_once(node)
            function = work.index.function_of(value)
            if bound is None or function is None or bound.variable.owner is not function:
                return False
    return True


def _normalize(work: NormalizationRound, line: cst.SimpleStatementLine, name: cst.Name, made: cst.Call) -> bool:
    definition = work.program.definitions.bound_once(name)
    if definition is None or definition.how is not How.ASSIGNED or _is_known_elsewhere(work, definition):
        return False
    uses = work.program.definitions.uses(definition)
    known = [call for use in uses if (call := _call(work, use)) is not None]
    if not uses or isinstance(definition.variable.owner, cst.ClassDef):
        return False
    if len(known) < len(uses):
        is_asked = any(_asks_for_parts(work, use) for use in uses)
        function = None if is_asked else _function(work, name.value, made.args[0].value, made.args[1:])
        if function is not None:
            work.edits.rewrite_statement(
                line, always_statements([function.with_changes(leading_lines=line.leading_lines)])
            )
        return function is not None
    reads = set[str]().union(*(names_in(item.value) for item in made.args[1:])) - _CONSTANTS
    if reads and (_is_repeated(work, line) or not all(_is_in_same_scope(work, line, call, reads) for call in known)):
        return False
    for call in known:
        work.edits.replace(call, partial(_made, call, _with_entries(work, call, made)))
    work.edits.remove(line)
    return True


def _asks_for_parts(work: NormalizationRound, use: cst.Name) -> bool:
    """Whether a use of a partial may see that it is no function: `block.keywords`, `isinstance(block, partial)`."""
    parent = work.index.parents[use]
    match parent, work.index.parents.get(parent):
        case cst.Attribute(), _:
            return True
        case cst.Arg(), cst.Call(func=cst.Name("isinstance" | "type" | "repr" | "str")):
            return True
    return False


def _function(
    work: NormalizationRound, name: str, layer: cst.BaseExpression, given: Sequence[cst.Arg]
) -> cst.FunctionDef | None:
    """A function that makes what a partial makes: what was given before can be said by its name only, as it is there."""
    parameters = _parameters(work, layer)
    if parameters is None or any(item.star for item in given):
        return None
    free, rest = parameters.defaults, parameters.rest
    before = [item.value for item in given if item.keyword is None]
    known = {**dict(zip(free, before, strict=False)), **{i.keyword.value: i.value for i in given if i.keyword}}
    more = [item for item in known if item not in free]
    names = [*free, *more]
    if len(before) > parameters.placed or (more and rest is None):
        return None
    if not all(default is None or _is_constant(default) for item, default in free.items() if item not in known):
        return None
    later = [names.index(item.keyword.value) for item in given if item.keyword]
    placed = names[len(before) : min(later, default=parameters.placed)][: parameters.placed - len(before)]

    def spelled(item: str) -> str:
        default = known.get(item, free.get(item))
        return item if default is None else f"{item}={code(default)}"

    named = [spelled(item) for item in names if item not in placed]
    stars = [f"**{rest}"] if rest is not None else []
    taken = [*map(spelled, placed), *(["*", *named] if named else []), *stars]
    # what is given by place is said by its name here, and so is all behind it
    passed = [item if item in placed and not before else f"{item}={item}" for item in names] + stars
    text = f"def {name}({', '.join(taken)}):\n    return {code(layer)}({', '.join(passed)})\n"
    return cst.ensure_type(cst.parse_statement(text), cst.FunctionDef)


@dataclass(frozen=True, slots=True)
class _Parameters:
    """The parameters of a class of modules with their defaults, the first of which may be given by `placed`; `rest` takes others."""

    defaults: dict[str, cst.BaseExpression | None]
    placed: int
    rest: str | None = None


def _parameters(work: NormalizationRound, layer: cst.BaseExpression) -> _Parameters | None:
    spec = work.effects.tables.layers.get(work.values.torch_name(layer) or "") if work.effects is not None else None
    if spec is not None:
        own = [item for item in parse_signature(spec.signature).parameters if item.name not in (*IGNORED, "dtype")]
        if any(item.variadic or item.keyword_only for item in own):
            return None
        defaults = {item.name: cst.parse_expression(item.default) if item.default else None for item in own}
        return _Parameters(defaults, len(own))
    owner = _class_of(work, layer)
    init = owner.method("__init__") if owner is not None else None
    if init is None or not isinstance(init.node, cst.FunctionDef):
        return None
    signature = init.node.params
    if signature.posonly_params or isinstance(signature.star_arg, cst.Param):
        return None
    params = [*signature.params[1:], *signature.kwonly_params]
    rest = signature.star_kwarg.name.value if signature.star_kwarg is not None else None
    return _Parameters({item.name.value: item.default for item in params}, len(signature.params) - 1, rest)


def _class_of(work: NormalizationRound, layer: cst.BaseExpression) -> Class | None:
    value = work.values(layer)
    return work.program.class_by_key.get(next(iter(value.types), "")) if value.kind is Kind.CLASS else None


def _is_constant(node: cst.BaseExpression) -> bool:
    """Whether an expression is a literal, or a tuple of such."""
    if isinstance(node, cst.Tuple):
        return all(_is_constant(item.value) for item in node.elements)
    return literal_value(node) is not None


def _is_repeated(work: NormalizationRound, line: cst.CSTNode) -> bool:
    """Whether a line may run several times in a call of its function, with other values."""
    return any(isinstance(node, (cst.For, cst.While)) for node in work.index.ancestors(line))


def _is_in_same_scope(work: NormalizationRound, line: cst.CSTNode, call: cst.Call, reads: Set[str]) -> bool:
    """Whether some variables are the same in a call as in a line."""
    function = work.index.function_of(line)
    for node in work.index.ancestors(call):
        if node is function:
            return True
        if isinstance(node, (cst.Lambda, cst.ClassDef, cst.FunctionDef)) or not reads.isdisjoint(_bound_inside(node)):
            return False
        if isinstance(node, cst.BaseComp) and not reads.isdisjoint(_bound_by(node)):
            return False
    return False


def _bound_by(comprehension: cst.BaseComp) -> set[str]:
    """The variables that a comprehension goes through something with."""
    return set[str]().union(*map(_bound_inside, descendants(comprehension)))


def _is_known_elsewhere(work: NormalizationRound, definition: Definition) -> bool:
    """Whether something may use a name that the file does not show."""
    if definition.variable.owner is not work.index.module:
        return False
    name = definition.variable.name
    return name in work.program.read_elsewhere or any(
        item.mentions(name) for item in work.program.files if item is not work.program
    )


def _call(work: NormalizationRound, use: cst.Name) -> cst.Call | None:
    """The call of a name, with arguments that stand before those that are given by name."""
    call = work.index.parents[use]
    if not isinstance(call, cst.Call) or call.func is not use or any(item.star for item in call.args):
        return None
    return call


def _with_entries(work: NormalizationRound, call: cst.Call, made: cst.Call) -> cst.Call:
    """A partial with `**settings`, without the entries for which a call gives something else."""
    own = {item.keyword.value for item in call.args if item.keyword is not None}
    args = []
    for item in made.args:
        known = _named_entries(work, item) if item.star else frozenset()
        if own and (known is None or own & known):
            names = [f'"{name}"' for name in sorted(own if known is None else own & known)]
            test = f"!= {names[0]}" if len(names) == 1 else f"not in ({', '.join(names)})"
            kept = f"{{name: value for name, value in {code(item.value)}.items() if name {test}}}"
            item = item.with_changes(value=cst.parse_expression(kept))
        args.append(item)
    return made.with_changes(args=args)


def _made(call: cst.Call, made: cst.Call, rewrite: Rewriter) -> cst.BaseExpression:
    """`nn.Conv2d(8, 16, kernel_size=3)` of `conv3x3(8, 16)`."""
    whole = cst.ensure_type(rewrite.inside(call), cst.Call)
    layer, *given = made.args
    own = {item.keyword.value for item in whole.args if item.keyword is not None}
    before = [item for item in given if item.keyword is None and not item.star]
    behind = [item for item in given if item.star or (item.keyword is not None and item.keyword.value not in own)]
    return whole.with_changes(func=layer.value.deep_clone(), args=_separated([*before, *whole.args, *behind]))


def _separated(args: Sequence[cst.Arg]) -> list[cst.Arg]:
    return [item.deep_clone().with_changes(comma=cst.MaybeSentinel.DEFAULT) for item in args]


__all__ = ["normalize_partial_layers"]
