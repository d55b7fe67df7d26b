"""Parameters of Flax Linen modules that are not trained: a model keeps their places beside its variables."""

from torch2jax.runtime.freezing import is_below
from torch2jax.runtime.linen_checkpoints import each_once, entries_of, torch_variables
from torch2jax.runtime.linen_modules import is_bound


def freeze(model, path=""):
    """torch's `requires_grad_(False)` for what lies at a path of a model, or of a module that makes its parts."""
    if is_bound(model):
        model.store.frozen |= places_below(entries_of(model), path)
    else:
        find = lambda: places_below(torch_variables(model), path)
        vars(model)["_frozen"] = (*vars(model).get("_frozen", ()), find)


def unfreeze(model, path=""):
    """torch's `requires_grad_(True)` for what lies at a path of a model."""
    model.store.frozen -= places_below(entries_of(model), path)


def choose_trained(model, is_trained, path=""):
    """The parameters below a path of a model are trained for which `is_trained(name, requires_grad)` is true."""
    prefix = f"{path}." if path else ""
    for entry in each_once(entries_of(model)):
        if entry.kind == "params" and entry.name.startswith(prefix):
            place, frozen = entry.place[1:], model.store.frozen
            is_chosen = is_trained(entry.name.removeprefix(prefix), place not in frozen)
            model.store.frozen = frozen - {place} if is_chosen else frozen | {place}


def places_below(entries, path):
    """The places of the parameters of which a name is a path, or lies below it."""
    return frozenset(entry.place[1:] for entry in entries if entry.kind == "params" and is_below(entry.name, [path]))
