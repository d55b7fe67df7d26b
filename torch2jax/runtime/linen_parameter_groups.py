"""Optimizers over groups of parameters of modules of Flax Linen, each with options of its own, as torch.optim takes them."""

import jax

from torch2jax.runtime.linen_checkpoints import entries_of, is_parameter
from torch2jax.runtime.linen_training import models_in, parameter_tree
from torch2jax.runtime.parameter_groups import (
    check_apart,
    groups_with_options,
    kept_with_data,
    updates_of_groups,
    updates_of_parameters,
)


def with_param_groups(make, model, groups, **options):
    """torch.optim over some of the parameters of a model, or over groups of them with options of their own.

    `make` is given the options of a group and gives its optimizer; `options` are those of groups that say nothing. All else is
    left as it is. The options are in the state, `optimizer.opt_state.param_groups[0]["lr"]`, where numbers may change, and
    `"params"` there says the shapes and types of the parameters."""
    return updates_of_groups(make, *kept_groups(make, model, groups, options))


def as_torch_optimizer(make, model, groups, **options):
    """The same with a state that has torch's form: the options of each group, and what is kept of each parameter by itself.

    `make` is an optimizer of torch, which takes torch's options."""
    return updates_of_parameters(make, *kept_groups(make, model, groups, options))


def kept_groups(make, model, groups, options):
    """The options that groups have, the number of the group of each parameter, and what gives the groups at first."""
    own, options = groups_with_options(make, groups, options)
    return kept_with_data(own, options, paths_of_members(model, [group["params"] for group in own]))


def paths_of_members(model, groups):
    """The paths of the parameters of groups in the state of a model, by their ids."""
    wanted = check_apart(groups)
    held = {id(part.get(entry.place)) for part in models_in(model) for entry in entries_of(part) if is_parameter(entry)}
    if wanted - held:
        raise ValueError("the groups hold parameters that the model does not have")
    leaves, _ = jax.tree_util.tree_flatten_with_path(parameter_tree(model))
    found = {id(leaf): jax.tree_util.keystr(path) for path, leaf in leaves if id(leaf) in wanted}
    return {key: found.get(key) for key in wanted}
