"""Parts that a constructor takes out of a module which it has made itself and drops: each field holds the only one there is.

resnet = models.resnet34()
self.stem = resnet.conv1             # nobody sees `resnet.conv1` behind this
self.encoder = resnet.layer1
"""

from __future__ import annotations

import libcst as cst

from torch2jax.plan.sharing import is_made_here
from torch2jax.program.program import Function, dotted
from torch2jax.rewrite.unit import Unit
from torch2jax.syntax.codegen import code
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind

_ON_WHOLE = frozenset("apply cpu cuda double eval float half load_state_dict requires_grad_ to train".split())
_CONTAINERS = frozenset({"torch.nn.Sequential", "torch.nn.ModuleList"})
_NUMBERS = (Kind.INT, Kind.FLOAT, Kind.BOOL)
_LOOPS = (cst.For, cst.While, cst.ListComp, cst.SetComp, cst.GeneratorExp, cst.DictComp)


def is_taken_apart(unit: Unit, part: cst.BaseExpression) -> bool:
    """Whether a part of a module, `resnet.conv1`, is held by nothing but the field that it is given to, now and later."""
    root = _root(part)
    function = unit.facts.program.function_around(part)
    if root is None or function is None or root.value in function.parameter_names or function.outer is not None:
        return False
    if not _is_new(unit, function, root.value):
        return False
    taken: list[str] = []
    for node in descendants(function.node.body, cst.Name):
        if node.value != root.value or unit.facts.program.index.is_label(node) or _is_bound(unit, node):
            continue
        if unit.facts.program.function_around(node) is not function:
            return False
        path = _path(unit, node)
        if unit.facts.values(path).kind in _NUMBERS or isinstance(unit.facts.program.index.parents[node], cst.Del):
            continue  # `resnet.fc.in_features`
        if _is_taken(unit, path):
            taken.append(code(path))
        elif taken or not _is_on_whole(unit, node, path):
            return False
    return bool(taken) and not any(_is_within(one, other) for one in taken for other in taken if one is not other)


def _root(part: cst.BaseExpression) -> cst.Name | None:
    while isinstance(part, (cst.Attribute, cst.Subscript)):
        part = part.value
    return part if isinstance(part, cst.Name) else None


def _is_new(unit: Unit, function: Function, name: str) -> bool:
    """Whether a variable is bound to nothing but modules that are made where it is bound."""
    stores = [
        node for node in descendants(function.node.body, cst.Name) if node.value == name and _is_bound(unit, node)
    ]
    lines = [unit.facts.program.index.parents[unit.facts.program.index.parents[node]] for node in stores]
    return bool(lines) and all(is_made_here(unit.facts, line, name) for line in lines)


def _is_bound(unit: Unit, node: cst.Name) -> bool:
    """Whether a name is the target of an assignment."""
    return isinstance(unit.facts.program.index.parents[node], cst.AssignTarget)


def _path(unit: Unit, node: cst.Name) -> cst.BaseExpression:
    """`resnet.layer1[0]` around `resnet`."""
    path: cst.BaseExpression = node
    while True:
        parent = unit.facts.program.index.parents[path]
        if not isinstance(parent, (cst.Attribute, cst.Subscript)) or parent.value is not path:
            return path
        if isinstance(parent, cst.Subscript) and not _is_number(parent):
            return path
        path = parent


def _is_number(node: cst.Subscript) -> bool:
    return len(node.slice) == 1 and code(node.slice[0]).isdigit()


def _is_taken(unit: Unit, path: cst.BaseExpression) -> bool:
    """Whether a part is given to a field, or to a container of layers, once."""
    if isinstance(path, cst.Name) or unit.facts.values(path).kind is not Kind.MODULE:
        return False
    index = unit.facts.program.index
    if any(isinstance(item, _LOOPS) for item in index.ancestors(path)):
        return False
    parent = index.parents[path]
    while isinstance(parent, (cst.Element, cst.List, cst.Tuple)):
        parent = index.parents[parent]
    if isinstance(parent, cst.Arg):
        call = index.parents[parent]
        return isinstance(call, cst.Call) and not parent.star and unit.facts.values.torch_name(call.func) in _CONTAINERS
    if not isinstance(parent, cst.Assign) or len(parent.targets) != 1:
        return False
    target = parent.targets[0].target
    parts = [item.value for item in target.elements] if isinstance(target, (cst.Tuple, cst.List)) else [target]
    return all(str(dotted(item)).startswith("self.") for item in parts)


def _is_on_whole(unit: Unit, node: cst.Name, path: cst.BaseExpression) -> bool:
    """Whether a statement changes a module, or what it consists of, before anything is taken out of it."""
    index = unit.facts.program.index
    parent, line = index.parents[path], index.statement_of(node)
    match line:
        case cst.SimpleStatementLine(body=[cst.Expr(value=cst.Call(func=cst.Attribute(value=owner, attr=method)))]):
            return _root(owner) is node and method.value in _ON_WHOLE
        case cst.SimpleStatementLine(body=[cst.Assign(targets=[cst.AssignTarget(target=target)])]):
            return target is path and path is not node
        case cst.For(iter=cst.Call(func=cst.Attribute(value=owner, attr=cst.Name("parameters")))):
            return _root(owner) is node and isinstance(parent, cst.Call)
    return False


def _is_within(path: str, other: str) -> bool:
    return path == other or path.startswith((f"{other}.", f"{other}["))
