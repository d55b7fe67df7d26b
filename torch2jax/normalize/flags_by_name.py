"""Loops that freeze the parts or the parameters of a module one by one, normalized to loops that choose them by their names.

for child in model.children():                       for name, child in model.named_children():
    if isinstance(child, nn.Linear):                     if isinstance(child, nn.Linear):
        for p in child.parameters():            ->           for path, p in model.named_parameters():
            p.requires_grad = False                              if path.startswith(name + "."):
                                                                     p.requires_grad = False

for p in list(model.parameters())[:4]:               names = [path for path, _ in model.named_parameters()][:4]
    p.requires_grad = False                     ->   for path, p in model.named_parameters():
                                                         if path in names:
                                                             p.requires_grad = False

for i, p in enumerate(model.parameters()):           names = [path for path, _ in model.named_parameters()]
    if i < 4:                                   ->   for path, p in model.named_parameters():
        p.requires_grad = False                          if names.index(path) < 4:
                                                             p.requires_grad = False

The module keeps the names of what is frozen (`facts/freezing.py`).
"""

from __future__ import annotations

import libcst as cst

from torch2jax.facts.flag_statements import only_flags, set_flag
from torch2jax.normalize.flag_helpers import is_read_outside
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.program import dotted
from torch2jax.records import dataclass
from torch2jax.syntax.edits import always, always_statements
from torch2jax.syntax.quote import as_node, quote, quote_statement, quote_statements
from torch2jax.syntax.walk import bound_names, descendants
from torch2jax.values import Kind

_PARTS = {"children": "named_children", "modules": "named_modules"}


@dataclass(frozen=True, slots=True)
class _Loop:
    """A loop over the parts of `module`: the part, its name, and how it lists them."""

    module: cst.BaseExpression
    part: str
    name: str
    listing: str


def normalize_flags_by_name(work: NormalizationRound) -> None:
    """Normalize all such loops of a file."""
    if not any(node.attr.value in ("requires_grad", "requires_grad_") for node in work.index.attributes):
        return
    for node in work.index.every(cst.For):
        if not isinstance(node.body, cst.IndentedBlock) or node.orelse is not None or node.asynchronous is not None:
            continue
        _numbered(work, node)
        _some(work, node)
        _parts(work, node)
    for line in work.index.every(cst.SimpleStatementLine):
        _said_again(work, line)


def _listed(
    work: NormalizationRound, node: cst.BaseExpression, *listings: str
) -> tuple[cst.BaseExpression, str] | None:
    """The module, which has a name, and the method of `model.parameters()`."""
    match node:
        case cst.Call(func=cst.Attribute(value=module, attr=cst.Name(method)), args=[]) if method in listings:
            if dotted(module) is not None and work.values(module).kind is Kind.MODULE:
                return module, method
    return None


def _enumerated(node: cst.For) -> tuple[cst.BaseExpression, cst.BaseExpression, cst.BaseExpression | None]:
    """What a loop goes through, with the variables for it and for the position."""
    match node.iter, node.target:
        case (
            cst.Call(func=cst.Name("enumerate"), args=[cst.Arg(value=iterated, star="", keyword=None)]),
            cst.Tuple(elements=[cst.Element(value=position), cst.Element(value=target)]),
        ):
            return iterated, target, position
    return node.iter, node.target, None


# for i, p in enumerate(model.parameters()):


def _numbered(work: NormalizationRound, node: cst.For) -> None:
    iterated, target, position = _enumerated(node)
    found = _listed(work, iterated, "parameters", "named_parameters")
    if found is None or not isinstance(position, cst.Name):
        return
    match target:
        case cst.Name(variable) if found[1] == "parameters":
            path = work.names_at(node)("path")
        case cst.Tuple(elements=[cst.Element(value=cst.Name(path)), cst.Element(value=cst.Name(variable))]):
            pass
        case _:
            return
    if not only_flags(list(node.body.body), variable) or is_read_outside(work, node, position):
        return
    names = work.names_at(node)("names")
    for read in descendants(node.body):
        if isinstance(read, cst.Name) and read.value == position.value and not work.index.is_label(read):
            work.edits.replace(read, always(quote(f"{names}.index({path})")))
    made = quote_statement(f"{names} = [{path} for {path}, _ in {{module}}.named_parameters()]", module=found[0])
    _go_through(work, node, found[0], path, variable)
    work.edits.before(node, always_statements([made]))


def _go_through(work: NormalizationRound, node: cst.For, module: cst.BaseExpression, path: str, variable: str) -> None:
    work.edits.replace(node.target, always(quote(f"{path}, {variable}")))
    work.edits.replace(node.iter, always(quote("{module}.named_parameters()", module=module)))


# for p in list(model.parameters())[:4]:


def _some(work: NormalizationRound, node: cst.For) -> None:
    match node.iter, node.target:
        case (
            cst.Subscript(value=listed, slice=[cst.SubscriptElement(slice=cst.Slice())] as cut),
            cst.Name(variable) as target,
        ):
            module = _all_parameters(work, listed)
        case _:
            return
    flag = set_flag(node.body.body[0], variable) if len(node.body.body) == 1 else None
    if module is None or flag is None or is_read_outside(work, node, target):
        return
    names, path = work.names_at(node)("names"), work.names_at(node)("path")
    value = as_node(flag)
    kept = cst.Subscript(
        value=quote(f"[{path} for {path}, _ in {{module}}.named_parameters()]", module=module), slice=cut
    )
    made = quote_statements(
        f"{names} = {{kept}}\nfor {path}, {variable} in {{module}}.named_parameters():\n    if {path} in {names}:\n"
        f"        {variable}.requires_grad = {{value}}\n",
        kept=kept,
        module=module,
        value=value,
    )
    work.edits.rewrite_statement(node, always_statements(made))


def _all_parameters(work: NormalizationRound, node: cst.BaseExpression) -> cst.BaseExpression | None:
    """The module whose parameters are in a list: `list(model.parameters())`, also under a name."""
    if isinstance(node, cst.Name) and (bound := work.program.definitions.only(node)) is not None:
        line = work.index.parents.get(work.index.parents[bound.node])
        match line:
            case cst.Assign(targets=[_], value=value):
                node = value
    match node:
        case cst.Call(func=cst.Name("list"), args=[cst.Arg(value=inner, star="", keyword=None)]):
            found = _listed(work, inner, "parameters")
            return found[0] if found is not None else None
    return None


# for child in model.children():


def _parts(work: NormalizationRound, node: cst.For) -> None:
    iterated, target, _ = _enumerated(node)
    found = _listed(work, iterated, *_PARTS, *_PARTS.values())
    if found is None:
        return
    match target:
        case cst.Name(part) if found[1] in _PARTS:
            name = work.names_at(node)(f"{part}_name")
        case cst.Tuple(elements=[cst.Element(value=cst.Name(name)), cst.Element(value=cst.Name(part))]):
            pass
        case _:
            return
    if {part, name} & {item for line in node.body.body for item in _bound(line)}:
        return
    loop = _Loop(found[0], part, name, found[1])
    lines = [item for item in descendants(node.body) if isinstance(item, (cst.For, cst.SimpleStatementLine))]
    changed = [_flag_by_name(work, line, loop) for line in lines]
    if any(changed) and found[1] in _PARTS:
        work.edits.replace(iterated, always(quote(f"{{module}}.{_PARTS[found[1]]}()", module=found[0])))
        named = f"({name}, {part})" if target is not node.target else f"{name}, {part}"
        work.edits.replace(target, always(quote(named)))


def _bound(line: cst.CSTNode) -> set[str]:
    targets = [node.target for node in (line, *descendants(line)) if isinstance(node, (cst.AssignTarget, cst.For))]
    return set().union(*(bound_names(item) for item in targets))


def _flag_by_name(work: NormalizationRound, line: cst.CSTNode, loop: _Loop) -> bool:
    """Choose by their names what a statement flags of a part; whether there was something."""
    match line:
        case cst.For(
            target=cst.Name(variable),
            iter=cst.Call(func=cst.Attribute(value=module, attr=cst.Name("parameters")), args=[]),
            body=cst.IndentedBlock(body=[inner]),
            orelse=None,
        ):
            flag, place, below = set_flag(inner, variable), dotted(module), "."
        case cst.SimpleStatementLine(
            body=[
                cst.Expr(value=cst.Call(func=cst.Attribute(value=module, attr=cst.Name("requires_grad_")), args=args))
            ]
        ) if len(args) < 2:
            flag, place, below = args[0].value if args else True, dotted(module), "."
        case cst.SimpleStatementLine(
            body=[
                cst.Assign(
                    targets=[
                        cst.AssignTarget(
                            target=cst.Attribute(value=cst.Attribute() as field, attr=cst.Name("requires_grad"))
                        )
                    ],
                    value=flag,
                )
            ]
        ):
            place, below = dotted(field), ""
        case _:
            return False
    root, _, path = (place or "").partition(".")
    if root != loop.part or flag is None:
        return False
    value = as_node(flag)
    free = work.names_at(line)
    full, parameter = free("path"), free("p")
    prefix = f'{loop.name} + "{f".{path}" if path else ""}{below}"'
    if "modules" in loop.listing:
        prefix = f'({prefix}).lstrip(".")'  # the module itself has no name
    test = f"{full}.startswith({prefix})" if below else f"{full} == {prefix}"
    text = (
        f"for {full}, {parameter} in {{module}}.named_parameters():\n"
        f"    if {test}:\n        {parameter}.requires_grad = {{value}}\n"
    )
    made = quote_statement(text, module=loop.module.deep_clone(), value=value.deep_clone())
    assert isinstance(line, cst.BaseStatement)
    work.edits.rewrite_statement(line, always_statements([made]))
    return True


# self.scale.requires_grad = True


def _said_again(work: NormalizationRound, line: cst.SimpleStatementLine) -> None:
    """Drop a line behind the one that makes a parameter, which says what is so: `self.w = nn.Parameter(x)`."""
    block = work.index.parents[line]
    match line.body:
        case [
            cst.Assign(
                targets=[
                    cst.AssignTarget(
                        target=cst.Attribute(value=cst.Attribute() as field, attr=cst.Name("requires_grad"))
                    )
                ],
                value=cst.Name("True"),
            )
        ] if isinstance(block, cst.IndentedBlock):
            place = dotted(field)
        case _:
            return
    above = block.body[: list(block.body).index(line)]
    match above[-1] if above else None:
        case cst.SimpleStatementLine(
            body=[cst.Assign(targets=[cst.AssignTarget(target=made)], value=cst.Call(func=maker, args=[_]))]
        ) if dotted(made) == place is not None and work.values.torch_name(maker) == "torch.nn.Parameter":
            work.edits.remove(line)


__all__ = ["normalize_flags_by_name"]
