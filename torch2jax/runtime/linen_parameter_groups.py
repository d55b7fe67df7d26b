"""Optimizers over groups of parameters of modules of Flax Linen, each with options of its own, as torch.optim takes them."""

import jax

from torch2jax.runtime.linen_checkpoints import entries_of, is_parameter
from torch2jax.runtime.linen_training import models_in, parameter_tree
from torch2jax.runtime.parameter_groups import groups_with_options, numbers_of_members, optimizer_of_groups


def with_param_groups(make, model, groups, **options):
    """torch.optim over some of the parameters of a model, or over groups of them with options of their own.

    `make` is given the options of a group and gives its optimizer; `options` are those of groups that say nothing. All else is
    left as it is. The options are in the state, `optimizer.opt_state.param_groups[0]["lr"]`, where numbers may change, and
    `"params"` there says the shapes and types of the parameters."""
    own, options = groups_with_options(make, groups, options)
    return optimizer_of_groups(make, own, options, group_numbers(model, [group["params"] for group in own]))


def group_numbers(model, groups):
    """The number of the group that each parameter of a model belongs to, by its path in the state of the model."""
    number_of = numbers_of_members(groups)
    held = {id(part.get(entry.place)) for part in models_in(model) for entry in entries_of(part) if is_parameter(entry)}
    if number_of.keys() - held:
        raise ValueError("the groups hold parameters that the model does not have")
    leaves, _ = jax.tree_util.tree_flatten_with_path(parameter_tree(model))
    return {jax.tree_util.keystr(path): number_of[id(leaf)] for path, leaf in leaves if id(leaf) in number_of}
