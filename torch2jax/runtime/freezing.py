"""Parameters that are not trained: modules keep their names in a field `untrained`."""

import equinox as eqx
import jax

from torch2jax.runtime.buffers import trainable
from torch2jax.runtime.checkpoints import follow_path, torch_entries, torch_fields


def is_below(name, paths):
    """Whether a parameter's name is one of the paths, or lies below one."""
    return any(path == "" or name == path or name.startswith(path + ".") for path in paths)


def frozen_paths(tree, prefix=""):
    """The names of all parameters and modules that are frozen in a model."""
    names = getattr(tree, "untrained", ()) if isinstance(tree, eqx.Module) else ()
    paths = [prefix + name for name in names] if isinstance(names, tuple) else []
    for name, _, value in torch_fields(tree):
        if isinstance(value, (eqx.Module, list, tuple, dict)):
            paths += frozen_paths(value, f"{prefix}{name}." if name else prefix)
    return [path.removesuffix(".") for path in paths]


def unfrozen(model):
    """Which leaves of a model are trained, for `eqx.partition`."""
    frozen = frozen_paths(model)
    paths = [entry.path for entry in torch_entries(model) if entry.is_parameter and is_below(entry.name, frozen)]
    mask = trainable(model)
    return (
        eqx.tree_at(lambda m: [follow_path(m, path) for path in paths], mask, [False] * len(paths)) if paths else mask
    )


def trained_names(model):
    """The names of the parameters of a model whose `requires_grad` is true."""
    mask = unfrozen(model)
    return {e.name for e in torch_entries(model) if e.is_parameter and follow_path(mask, e.path)}


def with_frozen(model, is_frozen):
    """`model` with other frozen parameters: `is_frozen(name, frozen)` says which, given those that are by now."""
    if not isinstance(model, eqx.Module):
        raise TypeError("only modules keep the names of frozen parameters")
    before = frozen_paths(model)
    names = [entry.name for entry in torch_entries(model) if entry.is_parameter]
    frozen = tuple(name for name in names if is_frozen(name, is_below(name, before)))
    return set_frozen(model, frozen)


def set_frozen(tree, frozen):
    """A copy of a module that keeps these names, and no module in it any."""
    is_part = lambda x: isinstance(x, eqx.Module) and x is not tree
    copy = jax.tree.map(lambda x: set_frozen(x, ()) if is_part(x) else x, tree, is_leaf=is_part)
    if hasattr(copy, "untrained"):
        object.__setattr__(copy, "untrained", frozen)
    return copy


def freeze(model, path=""):
    """torch's `requires_grad_(False)` for what lies at a path: the model with these parameters frozen."""
    return with_frozen(model, lambda name, frozen: frozen or is_below(name, [path]))


def unfreeze(model, path=""):
    """torch's `requires_grad_(True)` for what lies at a path: the model with these parameters trained."""
    return with_frozen(model, lambda name, frozen: frozen and not is_below(name, [path]))


def with_frozen_of(model, before):
    """`model` with those parameters frozen that are frozen in what it was made of: the same arrays, by whatever name."""
    names = frozen_paths(before)
    frozen = {id(e.value) for e in torch_entries(before) if e.is_parameter and is_below(e.name, names)}
    return set_frozen(model, tuple(e.name for e in torch_entries(model) if e.is_parameter and id(e.value) in frozen))


def choose_trained(model, is_trained, path=""):
    """`model` with the parameters below a path trained for which `is_trained(name, requires_grad)` is true."""
    return with_frozen(model, chosen(is_trained, path))


def choose_trained_in_place(model, is_trained, path=""):
    """As `choose_trained`, in a module that keeps the names from now on."""
    keep_frozen(model, chosen(is_trained, path))


def chosen(is_trained, path):
    """Which parameters of a model are frozen, where what is below a path is trained if `is_trained(name, requires_grad)`."""
    prefix = f"{path}." if path else ""
    is_frozen = lambda name, frozen: not is_trained(name.removeprefix(prefix), not frozen)
    return lambda name, frozen: is_frozen(name, frozen) if name.startswith(prefix) else frozen


def freeze_in_place(model, path=""):
    """torch's `requires_grad_(False)` for what lies at a path of a module, which keeps the names from now on."""
    keep_frozen(model, lambda name, frozen: frozen or is_below(name, [path]))


def unfreeze_in_place(model, path=""):
    """torch's `requires_grad_(True)` for what lies at a path of a module, which keeps the names from now on."""
    keep_frozen(model, lambda name, frozen: frozen and not is_below(name, [path]))


def keep_frozen(model, is_frozen):
    """Give a module other names of frozen parameters, and the modules in it none."""
    before = frozen_paths(model)
    names = [entry.name for entry in torch_entries(model) if entry.is_parameter]
    frozen = tuple(name for name in names if is_frozen(name, is_below(name, before)))
    parts = [model]
    for part in parts:
        is_other = lambda x, part=part: isinstance(x, eqx.Module) and x is not part
        parts += [x for x in jax.tree.leaves(part, is_leaf=is_other) if isinstance(x, eqx.Module)]
        if hasattr(part, "untrained"):
            object.__setattr__(part, "untrained", frozen if part is model else ())
