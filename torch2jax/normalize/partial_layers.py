"""Layers that are given some of their arguments before, under a name that is only called: the calls make the layers themselves.

conv3x3 = partial(nn.Conv2d, kernel_size=3, padding=1)    ->
self.conv1 = conv3x3(8, 16)                                  self.conv1 = nn.Conv2d(8, 16, kernel_size=3, padding=1)
self.conv2 = conv3x3(16, 16, padding=2)                      self.conv2 = nn.Conv2d(16, 16, padding=2, kernel_size=3)
block = partial(Block, width=width)                       ->
self.mid = block(8)                                          self.mid = Block(8, width=width)

What is given before is a constant, or a variable of the same function that is bound once. Where the name of such a class of the
program is more than called, it becomes a function, which can be given a key:

block = partial(Block, width=width)                       ->   def block(size, *, width=width):
kind = block if first else Plain                                   return Block(size, width=width)
                                                               kind = block if first else Plain
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import libcst as cst

from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.definitions import Definition, How
from torch2jax.syntax.codegen import code
from torch2jax.syntax.edits import Rewriter, always_statements
from torch2jax.syntax.folding import literal_value
from torch2jax.syntax.quote import names_in
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind

_CONSTANTS = frozenset({"True", "False", "None"})


def normalize_partial_layers(work: NormalizationRound) -> None:
    """Normalize all such names of a file."""
    if work.effects is None or not work.program.mentions("partial"):
        return
    for line in work.index.every(cst.SimpleStatementLine):
        match line.body:
            case [cst.Assign(targets=[cst.AssignTarget(target=cst.Name() as name)], value=cst.Call() as made)]:
                if _is_partial_layer(work, made):
                    _normalize(work, line, name, made)


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
    return all(not item.star and _is_lasting(work, item.value) for item in given)


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


def _normalize(work: NormalizationRound, line: cst.SimpleStatementLine, name: cst.Name, made: cst.Call) -> None:
    definition = work.program.definitions.bound_once(name)
    if definition is None or definition.how is not How.ASSIGNED or _is_known_elsewhere(work, definition):
        return
    uses = work.program.definitions.uses(definition)
    known = [call for use in uses if (call := _call(work, use)) is not None]
    if not uses or isinstance(definition.variable.owner, cst.ClassDef):
        return
    if len(known) < len(uses):
        function = _function(work, name, made) if not any(_asks_for_parts(work, use) for use in uses) else None
        if function is not None:
            work.edits.rewrite_statement(
                line, always_statements([function.with_changes(leading_lines=line.leading_lines)])
            )
        return
    reads = set[str]().union(*(names_in(item.value) for item in made.args[1:])) - _CONSTANTS
    if reads and (_is_repeated(work, line) or not all(_is_in_same_scope(work, line, call) for call in known)):
        return
    for call in known:
        work.edits.replace(call, partial(_made, call, made))
    work.edits.remove(line)


def _asks_for_parts(work: NormalizationRound, use: cst.Name) -> bool:
    """Whether a use of a partial may see that it is no function: `block.keywords`, `isinstance(block, partial)`."""
    parent = work.index.parents[use]
    match parent, work.index.parents.get(parent):
        case cst.Attribute(), _:
            return True
        case cst.Arg(), cst.Call(func=cst.Name("isinstance" | "type" | "repr" | "str")):
            return True
    return False


def _function(work: NormalizationRound, name: cst.Name, made: cst.Call) -> cst.FunctionDef | None:
    """A function that makes what a partial makes: what was given before can be said by its name only, as it is there."""
    layer, *given = made.args
    value = work.values(layer.value)
    owner = work.program.class_by_key.get(next(iter(value.types), "")) if value.kind is Kind.CLASS else None
    init = owner.method("__init__") if owner is not None else None
    if init is None or not isinstance(init.node, cst.FunctionDef):
        return None
    signature = init.node.params
    params = list(signature.params[1:])
    is_plain = not (signature.posonly_params or signature.kwonly_params or signature.star_kwarg)
    if not is_plain or isinstance(signature.star_arg, cst.Param):
        return None
    names = [param.name.value for param in params]
    before = [item.value for item in given if item.keyword is None]
    known = {**dict(zip(names, before, strict=False)), **{i.keyword.value: i.value for i in given if i.keyword}}
    free = {param.name.value: param.default for param in params if param.name.value not in known}
    if len(before) > len(names) or not known.keys() <= set(names):
        return None
    if not all(default is None or _is_constant(default) for default in free.values()):
        return None
    first = min(names.index(item) for item in known)
    spelled = []
    for item in names:
        default = known.get(item, free.get(item))
        spelled.append(item if default is None else f"{item}={code(default)}")
    spelled.insert(first, "*")
    passed = [item if place < first else f"{item}={item}" for place, item in enumerate(names)]
    text = f"def {name.value}({', '.join(spelled)}):\n    return {code(layer.value)}({', '.join(passed)})\n"
    return cst.ensure_type(cst.parse_statement(text), cst.FunctionDef)


def _is_constant(node: cst.BaseExpression) -> bool:
    """Whether an expression is a literal, or a tuple of such."""
    if isinstance(node, cst.Tuple):
        return all(_is_constant(item.value) for item in node.elements)
    return literal_value(node) is not None


def _is_repeated(work: NormalizationRound, line: cst.CSTNode) -> bool:
    """Whether a line may run several times in a call of its function, with other values."""
    return any(isinstance(node, (cst.For, cst.While)) for node in work.index.ancestors(line))


def _is_in_same_scope(work: NormalizationRound, line: cst.CSTNode, call: cst.Call) -> bool:
    """Whether variables are the same in a call as in a line."""
    inner = (cst.Lambda, cst.CompFor, cst.ListComp, cst.SetComp, cst.DictComp, cst.GeneratorExp, cst.ClassDef)
    function = work.index.function_of(line)
    for node in work.index.ancestors(call):
        if node is function:
            return True
        if isinstance(node, (*inner, cst.FunctionDef)):
            return False
    return False


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


def _made(call: cst.Call, made: cst.Call, rewrite: Rewriter) -> cst.BaseExpression:
    """`nn.Conv2d(8, 16, kernel_size=3)` of `conv3x3(8, 16)`."""
    whole = cst.ensure_type(rewrite.inside(call), cst.Call)
    layer, *given = made.args
    own = {item.keyword.value for item in whole.args if item.keyword is not None}
    before = [item for item in given if item.keyword is None]
    behind = [item for item in given if item.keyword is not None and item.keyword.value not in own]
    return whole.with_changes(func=layer.value.deep_clone(), args=_separated([*before, *whole.args, *behind]))


def _separated(args: Sequence[cst.Arg]) -> list[cst.Arg]:
    return [item.deep_clone().with_changes(comma=cst.MaybeSentinel.DEFAULT) for item in args]


__all__ = ["normalize_partial_layers"]
