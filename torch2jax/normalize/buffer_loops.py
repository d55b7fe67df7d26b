"""Loops that change buffers, normalized to loading a state dict with their new values.

for s, b in zip(ema.buffers(), model.buffers()):    ->    values = ema.state_dict()
    s.copy_(b)                                            for (name, s), b in zip(ema.named_buffers(), model.buffers()):
                                                              s = s.clone()
                                                              s.copy_(b)
                                                              values[name] = s.clone()
                                                          ema.load_state_dict(values)
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from torch2jax.facts.parameter_loops import changes_tensor
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.program import dotted
from torch2jax.syntax.codegen import code
from torch2jax.syntax.edits import always, always_statements
from torch2jax.syntax.problem import Problem
from torch2jax.syntax.quote import quote_statement
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind

_LISTING = frozenset({"buffers", "named_buffers"})


def normalize_buffer_loops(work: NormalizationRound) -> None:
    """Normalize the loops of a file that change buffers, and report those of another form."""
    if not work.program.mentions("buffers") and not work.program.mentions("named_buffers"):
        return
    for loop in work.index.every(cst.For):
        changed = [pair for pair in _pairs(loop.target, loop.iter) if _is_changed(work, loop, *pair)]
        if len(changed) == 1 and _is_plain(work, loop, changed[0][1]):
            _normalize(work, loop, *changed[0])
            continue
        for target, listed in changed:
            other = f"a buffer of {code(listed.func.value)}"  # type: ignore[attr-defined]
            work.problems.append(Problem(loop, "T2J303", {"name": str(_variable(target)), "other": other}))


def _pairs(
    target: cst.BaseExpression, iterable: cst.BaseExpression
) -> Iterator[tuple[cst.BaseExpression, cst.BaseExpression]]:
    """The variables of a loop, each with what it goes through."""
    match iterable:
        case cst.Call(func=cst.Name("zip"), args=args) if isinstance(target, cst.Tuple):
            for element, argument in zip(target.elements, args, strict=False):
                yield from _pairs(element.value, argument.value)
        case cst.Call(func=cst.Name("enumerate"), args=[given, *_]) if isinstance(target, cst.Tuple):
            yield from _pairs(target.elements[-1].value, given.value)
        case cst.Call(func=cst.Name("list" | "tuple"), args=[given]):
            yield from _pairs(target, given.value)
        case _:
            yield target, iterable


def _variable(target: cst.BaseExpression) -> str | None:
    """The variable of a buffer, which may stand behind that of its name."""
    last = target.elements[-1].value if isinstance(target, cst.Tuple) and target.elements else target
    return last.value if isinstance(last, cst.Name) else None


def _is_changed(
    work: NormalizationRound, loop: cst.For, target: cst.BaseExpression, listed: cst.BaseExpression
) -> bool:
    """Whether a loop changes the buffers of a module, which one of its variables goes through."""
    variable = _variable(target)
    match listed:
        case cst.Call(func=cst.Attribute(value=module, attr=cst.Name(method))) if method in _LISTING:
            is_module = work.values(module).kind in (Kind.MODULE, Kind.UNKNOWN)
            is_given = any(
                isinstance(node, cst.AssignTarget) and dotted(node.target) == variable
                for node in descendants(loop.body)
            )
            return is_module and not is_given and changes_tensor(loop.body, str(variable), work.values)
    return False


def _is_plain(work: NormalizationRound, loop: cst.For, listed: cst.BaseExpression) -> bool:
    """Whether each round of a loop comes to its end, and only the loop looks at the module."""
    match listed:
        case cst.Call(func=cst.Attribute(value=module), args=[]) if dotted(module) is not None:
            leaves = (cst.Break, cst.Continue, cst.Return, cst.Yield, cst.Await)
            within = list(descendants(loop.body))
            is_read = any(
                dotted(node) == dotted(module) for node in within if isinstance(node, (cst.Name, cst.Attribute))
            )
            is_block = isinstance(loop.body, cst.IndentedBlock) and loop.orelse is None
            has_hidden = work.program.has_hidden_buffers  # no state dict has those
            return is_block and not is_read and not has_hidden and not any(isinstance(node, leaves) for node in within)
    return False


def _normalize(work: NormalizationRound, loop: cst.For, target: cst.BaseExpression, listed: cst.BaseExpression) -> None:
    call = cst.ensure_type(listed, cst.Call)
    function = cst.ensure_type(call.func, cst.Attribute)
    variable, values, module = str(_variable(target)), work.fresh("values"), function.value
    if isinstance(target, cst.Tuple):
        name = code(target.elements[0].value)
    else:
        name = work.fresh("name")
        pair = cst.Tuple([cst.Element(cst.Name(name)), cst.Element(cst.Name(variable))])
        is_alone = target is loop.target
        work.edits.replace(target, always(pair.with_changes(lpar=[], rpar=[]) if is_alone else pair))
        work.edits.replace(function.attr, always(cst.Name("named_buffers")))
    work.edits.before(loop, always_statements([quote_statement(f"{values} = {{module}}.state_dict()", module=module)]))
    first, last = loop.body.body[0], loop.body.body[-1]
    work.edits.before(first, always_statements([quote_statement(f"{variable} = {variable}.clone()")]))
    work.edits.after(last, always_statements([quote_statement(f"{values}[{name}] = {variable}.clone()")]))
    work.edits.after(loop, always_statements([quote_statement(f"{{module}}.load_state_dict({values})", module=module)]))


__all__ = ["normalize_buffer_loops"]
