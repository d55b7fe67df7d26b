"""Copies of parts that Linen modules make in `setup`: parts of their own, which start with the values of what they are copies of."""

import copy
import dataclasses
from collections import OrderedDict

import jax
from flax import linen as nn

from torch2jax.runtime.linen_modules import declare, is_bound, parts_of, start_later


def copied_part(value):
    """`copy.deepcopy` of a module that is being made, of a list or dict of such, or of anything else."""
    return value if is_plain(value) else copied_definition(value, {})


def is_plain(value):
    """Whether a value is a function, or a type, which copies share."""
    return isinstance(value, type) or (callable(value) and not isinstance(value, nn.Module))


def copied_definition(value, made):
    """The copy of a definition, with copies of what it was made with; `made` has those of the same round."""
    if is_bound(value):
        return copy.deepcopy(value)
    if isinstance(value, nn.Module):
        if value._id not in made:
            made[value._id] = new_part_like(value, made)
        return made[value._id]
    if getattr(type(value), "holds_arguments", False):
        return type(value)(copied_definition(value.args, made), copied_definition(value.kwargs, made))
    if type(value) in (list, tuple):
        return type(value)(copied_definition(item, made) for item in value)
    if type(value) in (dict, OrderedDict) or hasattr(value, "unfreeze"):
        return type(value)((key, copied_definition(item, made)) for key, item in value.items())
    return value if is_plain(value) else copy.deepcopy(value)


def new_part_like(source, made):
    """A part of its own that starts with the values of another one."""
    held = vars(source)
    taken = held.get("_taken", {})
    names = [field.name for field in dataclasses.fields(type(source)) if field.init]
    given = {name: taken[name] if name in taken else held[name] for name in names if name not in ("parent", "name")}
    part = type(source)(**{name: copied_definition(value, made) for name, value in given.items()})
    starts, start = held.get("_copied", ((), None))
    if start is None or held.get("_starts", ()) not in ((*starts, start), starts):
        starts, start = held.get("_starts", ()), as_the_first(source)
        held["_copied"] = (starts, start)
        if source.scope is None:
            start_later(source, (*starts, start))
    start_later(part, (*starts, start))
    return part


def as_the_first(source):
    """What gives a part the values of another one, or of the first of its copies that has any."""
    same = []

    def start(part):
        if source.scope is not None and not same:
            declare(source)
            same.append(source)
        declare(part)
        if same:
            give_values(same[0], part)
        else:
            same.append(part)

    return start


def give_values(source, part):
    """Give the variables of a part, and of its parts, the values that those of another one have."""
    for kind, values in source.variables.items():
        for name, value in values.items():
            if not hasattr(value, "items"):
                part.put_variable(kind, name, value)
                if isinstance(vars(part).get(name), jax.Array):
                    vars(part)[name] = value
    for (_, inner), (_, own) in zip(parts_of(source), parts_of(part)):
        give_values(inner, own)
