"""Loops that change the parts of a module, or freeze them, normalized over their places: an immutable module gets its new parts there.
So are loops that change the tensors of a list or a dict in a field: the container gets the new ones.

for layer in self.layers:                    ->   for i in range(len(self.layers)):
    nn.init.zeros_(layer.bias)                        nn.init.zeros_(self.layers[i].bias)

for b, layer in zip(biases, self.layers):    ->   for b, i in zip(biases, range(len(self.layers))):
    layer.bias.data.copy_(b)                          self.layers[i].bias.data.copy_(b)

for s, p in zip(self.shadow, params):        ->   for i, p in zip(range(len(self.shadow)), params):
    s.mul_(0.9).add_(p, alpha=0.1)                    self.shadow[i].mul_(0.9).add_(p, alpha=0.1)
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from torch2jax.facts.changed_parts import changes_part, changes_tensor
from torch2jax.facts.flag_statements import set_flag
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.program import dotted, root_name
from torch2jax.records import dataclass
from torch2jax.syntax.quote import names_in, quote
from torch2jax.syntax.walk import bound_names, descendants, is_label, with_fields
from torch2jax.values import Kind

_CONTAINERS = frozenset({"torch.nn.ModuleList", "torch.nn.Sequential"})
_PARAMETERS = frozenset({"torch.nn.ParameterDict", "torch.nn.ParameterList"})
_CALLS = ("enumerate", "reversed")


@dataclass(frozen=True, slots=True)
class _Loop:
    """A loop over the parts of `container`: `part` is the variable for them, `position` the one that counts, if there is one.

    `indices` is the text of the positions, where {n} stands for how many parts there are. It takes them from `iterated`, and
    gives them to `target`.
    """

    iterated: cst.BaseExpression
    target: cst.BaseExpression
    container: cst.BaseExpression
    part: str
    position: cst.BaseExpression | None
    indices: str
    cut: cst.Subscript | None = None


def normalize_part_loops(work: NormalizationRound) -> None:
    """Normalize all such loops of a file whose variable is used for nothing else."""
    if work.effects is None:
        return
    for node in work.index.every(cst.For):
        for iterated, target in _sides(node.iter, node.target):
            loop = _loop(work, iterated, target)
            if (
                loop is None
                or _count(node.iter, loop.container) > 1
                or not (_freezes(work, node.body, loop.part) or _changes(work, node, loop))
            ):
                continue
            if not _is_bound_within(node, loop) and not _is_used_behind(work, node, loop.part):
                _normalize(work, node, loop)
                break


def _count(iterated: cst.BaseExpression, container: cst.BaseExpression) -> int:
    """How often what a loop goes through speaks of a container, whose parts it may give by other names as well."""
    path = dotted(container)
    return sum(dotted(item) == path for item in descendants(iterated, cst.Name, cst.Attribute))


def _sides(
    iterated: cst.BaseExpression, target: cst.BaseExpression
) -> Iterator[tuple[cst.BaseExpression, cst.BaseExpression]]:
    """What a loop goes through, and what it binds to that; also of each of the things that it goes through side by side."""
    yield iterated, target
    match iterated, target:
        case cst.Call(func=cst.Name("enumerate"), args=[cst.Arg(value=inner), *_]), cst.Tuple(elements=[_, last]):
            if isinstance(inner, cst.Call) and dotted(inner.func) == "zip":
                yield from _sides(inner, last.value)
        case cst.Call(func=cst.Name("zip"), args=args), cst.Tuple(elements=elements) if len(args) == len(elements):
            if not any(item.star or item.keyword is not None for item in args):
                yield from ((item.value, element.value) for item, element in zip(args, elements, strict=True))


def _changes(work: NormalizationRound, node: cst.For, loop: _Loop) -> bool:
    """Whether a loop changes tensors, or the parts of modules where these do not change in place."""
    assert work.effects is not None
    value = work.values(loop.container)
    if value.kind is not Kind.MODULE or value.types <= _PARAMETERS:
        return changes_tensor(work.values, node.body, loop.part)
    return work.effects.threads and changes_part(work.program, work.values, node.body, loop.part)


def _freezes(work: NormalizationRound, body: cst.CSTNode, part: str) -> bool:
    """Whether statements do nothing but say whether parameters of a part are trained."""
    lines = [node for node in descendants(body) if isinstance(node, cst.SimpleStatementLine)]
    loops = [node for node in descendants(body) if isinstance(node, cst.For)]
    named = [item.target.value for item in loops if isinstance(item.target, cst.Name) and _lists(item.iter, part)]
    variables = set(named)
    if len(named) < len(loops):
        return False
    return bool(lines) and all(
        _asks_part(line, part) or any(set_flag(line, name) is not None for name in variables) for line in lines
    )


def _lists(iterated: cst.BaseExpression, part: str) -> bool:
    """Whether a loop goes through the parameters of a part: `block.parameters()`, `block.norm.parameters()`."""
    match iterated:
        case cst.Call(func=cst.Attribute(value=module, attr=cst.Name("parameters")), args=[]):
            return root_name(module) == part
    return False


def _asks_part(line: cst.SimpleStatementLine, part: str) -> bool:
    """`block.requires_grad_(False)`."""
    match line.body:
        case [cst.Expr(value=cst.Call(func=cst.Attribute(value=module, attr=cst.Name("requires_grad_"))))]:
            return root_name(module) == part
    return False


def _loop(work: NormalizationRound, through: cst.BaseExpression, bound: cst.BaseExpression) -> _Loop | None:
    iterated, target, position = through, bound, None
    indices = "range(len({n}))"
    if isinstance(iterated, cst.Call) and dotted(iterated.func) in _CALLS and len(iterated.args) == 1:
        if dotted(iterated.func) == "reversed":
            indices = "reversed(range(len({n})))"
        else:
            if not isinstance(target, cst.Tuple) or len(target.elements) != 2:
                return None
            position, target = target.elements[0].value, target.elements[1].value
        iterated = iterated.args[0].value
    elif isinstance(iterated, cst.Call) and isinstance(iterated.func, cst.Attribute) and not iterated.args:
        if iterated.func.attr.value in ("items", "values"):
            return _loop_of_dict(work, through, iterated.func, target)
    cut = None
    if isinstance(iterated, cst.Subscript) and [type(item.slice) for item in iterated.slice] == [cst.Slice]:
        if position is not None or indices.startswith("reversed"):
            return None
        cut, iterated = iterated, iterated.value
    iterated = _gone_through(iterated)
    value = work.values(iterated)
    is_container = value.kind is Kind.MODULE and bool(value.types)
    is_container = is_container and (value.types <= _CONTAINERS or value.types == {"torch.nn.ParameterList"})
    is_container = is_container or (value.kind is Kind.LIST and _is_of_tensors(work, iterated, target))
    is_plain = isinstance(position, cst.Name) or position is None
    if not is_container or not isinstance(target, cst.Name) or not is_plain or root_name(iterated) is None:
        return None
    return _Loop(through, bound, iterated, target.value, position, indices, cut)


def _is_of_tensors(work: NormalizationRound, container: cst.BaseExpression, target: cst.BaseExpression) -> bool:
    """Whether a container that a loop goes through lies in a field, and what is bound is one of its tensors."""
    is_field = isinstance(container, cst.Attribute) and dotted(container) is not None
    return is_field and isinstance(target, cst.Name) and work.values(target).kind is Kind.TENSOR


def _gone_through(node: cst.BaseExpression) -> cst.BaseExpression:
    """`layers` of `layers.children()` and `list(layers)`."""
    match node:
        case cst.Call(func=cst.Name("list" | "tuple"), args=[cst.Arg(value=inner, star="")]):
            return _gone_through(inner)
        case cst.Call(func=cst.Attribute(value=inner, attr=cst.Name("children")), args=[]):
            return inner
    return node


def _loop_of_dict(
    work: NormalizationRound, through: cst.BaseExpression, asked: cst.Attribute, bound: cst.BaseExpression
) -> _Loop | None:
    """`for layer in self.layers.values()` and `for name, layer in self.layers.items()`."""
    value, target, position = work.values(asked.value), bound, None
    if asked.attr.value == "items":
        if not isinstance(target, cst.Tuple) or len(target.elements) != 2:
            return None
        position, target = target.elements[0].value, target.elements[1].value
    is_container = (
        value.kind is Kind.MODULE and len(value.types & {"torch.nn.ModuleDict", "torch.nn.ParameterDict"}) == 1
    )
    is_container = is_container or (value.kind is Kind.DICT and _is_of_tensors(work, asked.value, target))
    is_plain = isinstance(position, cst.Name) or position is None
    if not is_container or root_name(asked.value) is None or not is_plain or not isinstance(target, cst.Name):
        return None
    return _Loop(through, bound, asked.value, target.value, position, "{n}")


def _is_bound_within(node: cst.For, loop: _Loop) -> bool:
    """Whether the variable, or what the path of the container begins with, is bound again in the loop."""
    names = {loop.part, root_name(loop.container)}
    for item in descendants(node.body):
        match item:
            case cst.AugAssign(target=cst.Name(loop.part)):
                continue  # the tensor, in place
            case cst.AssignTarget() | cst.AnnAssign() | cst.AugAssign() | cst.NamedExpr() | cst.For() | cst.CompFor():
                if names & bound_names(item.target):
                    return True
                if isinstance(item, cst.AssignTarget) and dotted(item.target) == dotted(loop.container):
                    return True
            case cst.Param():
                if item.name.value in names:
                    return True
            case cst.AsName() | cst.Global() | cst.Nonlocal() | cst.Del():
                return True
            case cst.FunctionDef() | cst.Lambda() if names & names_in(item):
                return True
    return False


def _is_used_behind(work: NormalizationRound, node: cst.For, name: str) -> bool:
    function = work.program.function_around(node)
    if work.flows is None:
        return True
    return name in work.flows.liveness(function).after_statement(node)


def _normalize(work: NormalizationRound, node: cst.For, loop: _Loop) -> None:
    position = loop.position or cst.Name(_free_name(work, node, _wish(node, loop)))
    indices: cst.BaseExpression = quote(loop.indices, n=work.copy(loop.container))
    if loop.cut is not None:
        indices = with_fields(loop.cut, value=indices)
    work.edits.replace(loop.target, lambda rewrite: position)
    work.edits.replace(loop.iterated, lambda rewrite: indices)
    for name in descendants(node.body):
        if isinstance(name, cst.Name) and name.value == loop.part and not is_label(name, work.index.parents[name]):
            work.edits.replace(
                name,
                lambda rewrite: quote("{c}[{i}]", c=work.copy(loop.container), i=position.deep_clone()),
            )


def _wish(node: cst.For, loop: _Loop) -> str:
    """A short name for what a loop counts with."""
    if loop.indices == "{n}":
        return "name"
    return "j" if "i" in names_in(node) else "i"


def _free_name(work: NormalizationRound, node: cst.For, wish: str) -> str:
    """`i`, also where earlier loops have used it, or a new name like it."""
    function = work.program.function_around(node)
    if function is not None and work.flows is not None and wish not in names_in(node):
        readers = [item for item in descendants(function.node.body) if isinstance(item, (cst.FunctionDef, cst.Lambda))]
        if wish not in work.flows.liveness(function).after_statement(node) and not any(map(names_in, readers)):
            return wish
    return work.local(function.node if function is not None else work.index.module)(wish)


__all__ = ["normalize_part_loops"]
