"""Writes to the tensors of a module's state dict, which are its parameters: the dict gets other ones, and the module the dict.

sd = model.state_dict()                      ->   sd = model.state_dict()
for k in keys:                                    for k in keys:
    sd[k].copy_(other[k])                             sd[k] = other[k]
                                                  model.load_state_dict(sd)

for v in ema.state_dict().values():          ->   weights = ema.state_dict()
    v *= decay                                    for key, v in weights.items():
                                                      v = v * decay
                                                      weights[key] = v
                                                  ema.load_state_dict(weights)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

import libcst as cst

from torch2jax.facts.alias_state import root_of
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.ops.schema import is_inplace_name
from torch2jax.program.program import dotted, root_name
from torch2jax.syntax.codegen import code
from torch2jax.syntax.edits import Rewriter, always
from torch2jax.syntax.quote import names_in, quote, quote_statement
from torch2jax.syntax.walk import bound_names, descendants, with_fields
from torch2jax.values import Kind


def normalize_state_dict_writes(work: NormalizationRound) -> None:
    """Normalize all such writes of a file whose module is used for nothing else meanwhile."""
    if not work.program.mentions("state_dict"):
        return
    for loop in work.index.every(cst.For):
        if isinstance(loop, cst.For) and loop.orelse is None:
            for target, entries in _entries(loop.target, loop.iter):
                _normalize_loop(work, loop, target, entries)
    if work.program.mentions("copy_"):
        _normalize_copies(work)


def _normalize_copies(work: NormalizationRound) -> None:
    written: dict[tuple[cst.BaseStatement, str, str], list[cst.Expr]] = {}
    for call in work.index.calls:
        found = _write(work, call)
        made = _made(work, call, found) if found is not None else None
        line = _line_beside(work, call, made[0]) if made is not None else None
        statement = work.index.parents.get(call)
        if found is not None and made is not None and line is not None and isinstance(statement, cst.Expr):
            written.setdefault((line, found, made[1]), []).append(statement)
    for (place, name, model), statements in written.items():
        if _is_used(work, place, model) or _is_read_behind(work, place, name, statements):
            continue
        for item in statements:
            tried = any(isinstance(node, cst.Try) for node in work.index.ancestors(item))
            work.edits.replace(item, partial(_stored, item, tried))
        loaded = f"{model}.load_state_dict({name})"
        work.edits.after(place, lambda rewrite, loaded=loaded: [quote_statement(loaded)])  # type: ignore[misc]


def _entries(target: cst.BaseExpression, iterated: cst.BaseExpression) -> Iterator[tuple[cst.BaseExpression, cst.Call]]:
    """What a loop goes through by `.items()` and `.values()`, side by side with others as well, and what is bound to each."""
    match iterated:
        case cst.Call(func=cst.Attribute(attr=cst.Name("items" | "values")), args=[]):
            yield target, iterated
        case cst.Call(func=cst.Name("enumerate"), args=[cst.Arg(value=inner)]) if isinstance(target, cst.Tuple):
            yield from _entries(target.elements[-1].value, inner)
        case cst.Call(func=cst.Name("zip"), args=given) if isinstance(target, cst.Tuple):
            for element, item in zip(target.elements, given, strict=False):
                yield from _entries(element.value, item.value)


def _normalize_loop(work: NormalizationRound, loop: cst.For, target: cst.BaseExpression, entries: cst.Call) -> None:
    """Normalize a loop whose variable is an entry of a module's state dict, and is changed in place."""
    made = cst.ensure_type(entries.func, cst.Attribute).value
    pair = target.elements if isinstance(target, cst.Tuple) else ()
    key_node, variable = (item.value for item in pair) if len(pair) == 2 else (None, target)
    is_pair = cst.ensure_type(entries.func, cst.Attribute).attr.value == "items"
    if not isinstance(variable, cst.Name) or is_pair != isinstance(key_node, cst.Name):
        return
    name = variable.value
    match made:
        case cst.Call(func=cst.Attribute(value=owner, attr=cst.Name("state_dict")), args=[]):
            model = dotted(owner)
        case _:
            return
    lines = descendants(loop.body, cst.SimpleStatementLine)
    changed = {line: new for line in lines if (new := _changed(work, line, name)) is not None}
    if work.values(owner).kind is not Kind.MODULE or work.values(made).kind is not Kind.STATE_DICT or model is None:
        return
    if (
        not changed
        or keeps_entry(loop, name)
        or _is_changed_otherwise(loop, name, changed)
        or _is_used(work, loop.body, model)
        or loads_by_itself(work, owner)
    ):
        return
    fresh = work.names_at(loop)
    states = fresh("weights")
    key = key_node.value if isinstance(key_node, cst.Name) else fresh("key")
    if not is_pair:
        both = quote(f"({key}, {name})")
        work.edits.replace(target, always(both if target is not loop.target else with_fields(both, lpar=(), rpar=())))
    work.edits.replace(entries, always(quote(f"{states}.items()")))
    work.edits.before(loop, lambda rewrite: [quote_statement(f"{states} = {model}.state_dict()")])
    for line, new in changed.items():
        work.edits.replace(line.body[0], always(cst.Assign([cst.AssignTarget(cst.Name(name))], new)))
    last = {work.index.parents[line]: line for line in changed}
    for line in last.values():
        work.edits.after(line, lambda rewrite: [quote_statement(f"{states}[{key}] = {name}")])
    work.edits.after(loop, lambda rewrite: [quote_statement(f"{model}.load_state_dict({states})")])


def _changed(work: NormalizationRound, line: cst.SimpleStatementLine, name: str) -> cst.BaseExpression | None:
    """What a variable's tensor is behind a line that changes it in place: `v *= decay`, `v.mul_(decay).add_(w)`."""
    match line.body:
        case [cst.AugAssign(target=cst.Name(changed), operator=operator, value=value)] if changed == name:
            sign = code(operator).strip().removesuffix("=")
            return quote(f"{name} {sign} {{value}}", value=value.deep_clone())
        case [cst.Expr(value=cst.Call() as call)]:
            return _result(work, call, name)
    return None


def _result(work: NormalizationRound, node: cst.BaseExpression, name: str) -> cst.BaseExpression | None:
    """What calls of methods in place, one behind the other, make of a variable."""
    match node:
        case cst.Call(func=cst.Attribute(value=inner, attr=cst.Name(method)), args=given) if is_inplace_name(method):
            before = quote(name) if _is_variable(inner, name) else _result(work, inner, name)
            if before is None or method == "copy_":
                return given[0].value.deep_clone() if before is not None and len(given) == 1 else None
            function, torch = method.removesuffix("_"), work.torch_alias()
            assert work.effects is not None
            if torch is None or f"torch.{function}" not in work.effects.tables.functions:
                return None
            made = quote(f"{torch}.{function}({{before}})", before=before)
            assert isinstance(made, cst.Call)
            return made.with_changes(args=[*made.args, *(item.deep_clone() for item in given)])
    return None


def _is_variable(node: cst.BaseExpression, name: str) -> bool:
    """Whether something is a variable's tensor: `v`, `v.data`."""
    is_data = isinstance(node, cst.Attribute) and node.attr.value == "data"
    node = node.value if is_data else node  # type: ignore[attr-defined]
    return isinstance(node, cst.Name) and node.value == name


def _is_changed_otherwise(loop: cst.For, name: str, changed: Mapping[cst.SimpleStatementLine, object]) -> bool:
    """Whether other lines of a loop may change its variable's tensor in place as well: `v[0] = 1`, `nn.init.zeros_(v)`."""
    for line in descendants(loop.body, cst.SimpleStatementLine):
        for node in descendants(line) if line not in changed else ():
            match node:
                case cst.AssignTarget(target=target) | cst.AugAssign(target=target) if root_name(target) == name:
                    return True
                case cst.Call(func=cst.Attribute(attr=cst.Name(called))) if is_inplace_name(called):
                    if name in names_in(node):
                        return True
    return False


def keeps_entry(loop: cst.For, name: str) -> bool:
    """Whether a loop gives an entry to something that outlives it, or binds its variable anew, or leaves between changes."""
    if any(isinstance(node, (cst.Return, cst.Break, cst.Yield, cst.Raise)) for node in descendants(loop.body)):
        return True
    for node in descendants(loop.body):
        match node:
            case cst.Assign(value=value) | cst.AnnAssign(value=value) if value is not None:
                targets = node.targets if isinstance(node, cst.Assign) else [node]
                if any(name in bound_names(item.target) for item in targets) or root_name(value) == name:
                    return True
            case cst.Element(value=cst.Name(value)) | cst.DictElement(value=cst.Name(value)) if value == name:
                return True
            case cst.Call(func=cst.Attribute(attr=cst.Name("append")), args=[cst.Arg(value=cst.Name(value))]):
                if value == name:
                    return True
    return False


def _is_used(work: NormalizationRound, block: cst.BaseSuite | cst.BaseStatement, model: str) -> bool:
    """Whether a block reads a module, or gives it, or something that has it, to others."""
    parents, root = work.index.parents, model.split(".")[0]
    for node in descendants(block, cst.Name):
        if node.value != root or work.index.is_label(node):
            continue
        whole: cst.CSTNode = node
        while isinstance(parent := parents[whole], cst.Attribute) and parent.value is whole:
            whole = parent
        path = dotted(whole) or root  # type: ignore[arg-type]
        is_called = isinstance(parent, cst.Call) and parent.func is whole
        if f"{path}.".startswith(f"{model}.") or f"{model}.".startswith(f"{path}.") or is_called:
            return True
    return False


def _is_read_behind(
    work: NormalizationRound, place: cst.BaseStatement, name: str, statements: Sequence[cst.Expr]
) -> bool:
    """Whether an entry that a variable has been given is read behind the lines that change entries: `v = sd[k]`."""
    order = work.index.order
    first, last = (max(order[item] for item in (line, *descendants(line))) for line in (statements[0], statements[-1]))
    for line in descendants(place, cst.Assign):
        if root_of(line.value) != name or work.values.makes_its_own(line.value):
            continue
        block = work.index.parents[work.index.parents[line]]
        is_beside = all(work.index.parents[work.index.parents[item]] is block for item in statements)
        kept = {bound for target in line.targets for bound in bound_names(target.target)}
        function = work.index.function_of(line)
        names = (item for item in work.index.names if item.value in kept and work.index.function_of(item) is function)
        reads = (order[item] for item in names if item not in set(descendants(line)))
        if not is_beside or any(not order[line] < read <= first for read in reads) or last < order[line]:
            return True
    return False


def _write(work: NormalizationRound, call: cst.Call) -> str | None:
    """The variable with the state dict in `sd[k].copy_(v)`."""
    match call:
        case cst.Call(
            func=cst.Attribute(value=cst.Subscript(value=cst.Name(name) as owner), attr=cst.Name("copy_")),
            args=[cst.Arg(keyword=None, star="")],
        ) if work.values(owner).kind is Kind.STATE_DICT:
            return name
    return None


def _made(work: NormalizationRound, call: cst.Call, name: str) -> tuple[cst.BaseStatement, str] | None:
    """The statement that alone binds the variable, and the module whose dict it is: `sd = model.state_dict()`."""
    function = work.index.function_of(call)
    bound = [
        node
        for node in work.index.nodes
        if work.index.function_of(node) is function
        and isinstance(node, (cst.AssignTarget, cst.AnnAssign, cst.AugAssign, cst.For, cst.NamedExpr))
        and isinstance(node.target, cst.Name)
        and node.target.value == name
    ]
    assignment = work.index.parents.get(bound[0]) if len(bound) == 1 else None
    match assignment:
        case cst.Assign(value=cst.Call(func=cst.Attribute(value=owner, attr=cst.Name("state_dict")), args=[])):
            model = dotted(owner)
            line = work.index.parents.get(assignment)
            if (
                model is not None
                and work.values(owner).kind is Kind.MODULE
                and not loads_by_itself(work, owner)
                and isinstance(line, cst.SimpleStatementLine)
            ):
                return line, model
    return None


def loads_by_itself(work: NormalizationRound, module: cst.BaseExpression) -> bool:
    """Whether a module may have a `load_state_dict` of its own, which may be what writes."""
    known = work.program.class_by_key
    return any(known[name].method("load_state_dict") for name in work.values(module).types & known.keys())


def _line_beside(work: NormalizationRound, call: cst.Call, made: cst.BaseStatement) -> cst.BaseStatement | None:
    """The statement of the block that `made` stands in, behind it, in which a call stands."""
    block = work.index.parents.get(made)
    child: cst.CSTNode = call
    for ancestor in work.index.ancestors(call):
        if ancestor is block and isinstance(ancestor, (cst.IndentedBlock, cst.Module)):
            lines = list(ancestor.body)
            numbers = [number for number, line in enumerate(lines) if line is child or line is made]
            return lines[numbers[1]] if len(numbers) == 2 and lines[numbers[0]] is made else None
        child = ancestor
    return None


def _stored(statement: cst.Expr, tried: bool, rewrite: Rewriter) -> cst.Assign:
    """`sd[k] = v`; in `try` a copy is expected to fail where shapes do not fit."""
    call = cst.ensure_type(rewrite.inside(statement.value), cst.Call)
    place = cst.ensure_type(cst.ensure_type(call.func, cst.Attribute).value, cst.Subscript)
    value = call.args[0].value
    if tried:
        value = quote("{value}.expand_as({place})", value=value, place=place.deep_clone())
    return cst.Assign([cst.AssignTarget(place)], value)


__all__ = ["keeps_entry", "loads_by_itself", "normalize_state_dict_writes"]
