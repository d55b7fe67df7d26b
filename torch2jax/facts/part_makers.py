"""What becomes of the modules that functions give: parts of others, or modules of their own.

net = Head(make_backbone())     # a part of `net`, with whose state it is made
backbone = make_backbone()      # a module of its own, whose state the function gives beside it
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator

from torch2jax.facts.infer import Values
from torch2jax.program.program import Program
from torch2jax.values import UNKNOWN, Kind, Value, module_sites


def uses_of_makers(program: Program, values: Values) -> Iterator[tuple[str, bool]]:
    """The functions whose calls in a file give modules, by their keys, each with whether what a call gives becomes a part."""
    asked = program.makers_elsewhere
    handed_on = {key for key, is_part in asked if is_part} - {key for key, is_part in asked if not is_part}
    parts = sites_of_parts(program, values, handed_on, lambda made: True)
    for call in program.index.calls:
        made = values(call)
        if made.kind is not Kind.MODULE or not made.sites:
            continue
        for function in values.callees.get(call, ()):
            is_of_object = function.owner is not None and not function.owner.is_module and function.name != "__init__"
            if (function.owner is None or is_of_object) and function.outer is None:
                yield function.key, module_sites(made) <= parts


def sites_of_parts(
    program: Program, values: Values, makers: Collection[str], counts: Callable[[Value], bool]
) -> set[int]:
    """Where modules are made that become parts of others: arguments of what makes those that count, in lists, too, fields, and
    what functions with the keys of `makers` give.
    """
    found: set[int] = set()
    for call in program.index.calls:
        made = values(call)
        if values(call.func).kind in (Kind.CLASS, Kind.TORCH) and made.kind is Kind.MODULE and counts(made):
            given = [module_sites(values(item.value)) for item in call.args]
            found.update(*(sites for sites in given if made.sites.isdisjoint(sites)))
    for item in program.classes.values():
        if item.is_module:
            found.update(*(module_sites(value) for _, value in item.all_fields()))
    for function in program.functions.values():
        if function.key in makers:
            found |= module_sites(function.returns or UNKNOWN)
    return found


__all__ = ["sites_of_parts", "uses_of_makers"]
