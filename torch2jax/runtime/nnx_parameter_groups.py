"""Optimizers over groups of parameters of modules of Flax NNX, each with options of its own, as torch.optim takes them."""

import jax
import optax
from flax import nnx

from torch2jax.runtime.nnx_checkpoints import torch_variables
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
    return of_pure_arrays(updates_of_groups(make, *kept_groups(make, model, groups, options)))


def as_torch_optimizer(make, model, groups, **options):
    """The same with a state that has torch's form: the options of each group, and what is kept of each parameter by itself.

    `make` is an optimizer of torch, which takes torch's options."""
    return of_pure_arrays(updates_of_parameters(make, *kept_groups(make, model, groups, options)))


def of_pure_arrays(optimizer):
    """An optimizer whose state begins from the arrays in variables."""
    return optax.GradientTransformation(lambda params: optimizer.init(nnx.as_pure(params)), optimizer.update)


def kept_groups(make, model, groups, options):
    """The options that groups have, the number of the group of each parameter, and what gives the groups at first."""
    own, options = groups_with_options(make, groups, options)
    return kept_with_data(own, options, variable_paths(model, [group["params"] for group in own]))


def variable_paths(model, groups):
    """The paths of the parameters of groups in the state of a model, by their ids."""
    wanted, models = check_apart(groups), model if isinstance(model, tuple) else (model,)
    held = {id(entry.variable[...]) for part in models for entry in torch_variables(part) if entry.is_parameter}
    if wanted - held:
        raise ValueError("the groups hold parameters that the model does not have")
    leaves, _ = jax.tree_util.tree_flatten_with_path(nnx.as_pure(nnx.state(model, nnx.Param)))
    found = {id(leaf): jax.tree_util.keystr(path) for path, leaf in leaves if id(leaf) in wanted}
    return {key: found.get(key) for key in wanted}
