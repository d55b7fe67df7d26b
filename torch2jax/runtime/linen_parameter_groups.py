"""Optimizers over groups of parameters of modules of Flax Linen, each with options of its own, as torch.optim takes them."""

import inspect

import jax
import jax.numpy as jnp
import optax

from torch2jax.runtime.linen_checkpoints import entries_of, is_parameter
from torch2jax.runtime.linen_training import parameter_tree
from torch2jax.runtime.parameter_groups import GroupsState, members_of


def with_param_groups(make, model, groups, **options):
    """torch.optim over some of the parameters of a model, or over groups of them with options of their own.

    `make` is given the options of a group and gives its optimizer; `options` are those of groups that say nothing. All else is
    left as it is. Numbers among the options are in the state, `optimizer.opt_state.param_groups[0]["lr"]`, where they may change."""
    groups = list(groups)
    groups = groups if groups and isinstance(groups[0], dict) else [{"params": groups}]
    known = {name: item.default for name, item in inspect.signature(make).parameters.items() if name != "params"}
    options = {**{name: value for name, value in known.items() if value is not inspect.Parameter.empty}, **options}
    refused = {"betas", "eps", "momentum", "alpha", "amsgrad", "centered", "dampening", "maximize", "nesterov", "rho"}
    if unknown := refused & {name for group in groups for name in group} - options.keys():
        raise ValueError(f"groups of parameters with their own {', '.join(sorted(unknown))} are not translated")
    number_of = group_numbers(model, [members_of(group["params"]) for group in groups])

    def labels(params):
        return jax.tree_util.tree_map_with_path(lambda path, _: number_of.get(jax.tree_util.keystr(path), -1), params)

    def optimizer(param_groups):
        is_changing = lambda name: name in ("lr", "momentum", "weight_decay") or "count" in name
        given = [
            {name: (group if is_changing(name) and name in group else own)[name] for name in options}
            for group, own in zip(param_groups, full)
        ]
        made = [make(**chosen) for chosen in given]
        return optax.partition({-1: optax.set_to_zero(), **dict(enumerate(made))}, labels)

    def init(params):
        is_number = lambda value: isinstance(value, (bool, int, float, jax.Array))
        kept = [{name: jnp.asarray(value) for name, value in own.items() if is_number(value)} for own in full]
        return GroupsState(kept, optimizer(kept).init(params))

    def update(grads, state, params):
        updates, inner = optimizer(state.param_groups).update(grads, state.inner, params)
        return updates, GroupsState(state.param_groups, inner)

    full = [{**options, **{name: value for name, value in group.items() if name != "params"}} for group in groups]
    return optax.GradientTransformation(init, update)


def group_numbers(model, groups):
    """The number of the group that each parameter of a model belongs to, by its path in the state of the model."""
    number_of = {}
    for number, group in enumerate(groups):
        for parameter in group:
            if number_of.setdefault(id(parameter), number) != number:
                raise ValueError("some parameters appear in more than one parameter group")
    models = model if isinstance(model, (list, tuple)) else [model]
    held = {id(part.get(entry.place)) for part in models for entry in entries_of(part) if is_parameter(entry)}
    if number_of.keys() - held:
        raise ValueError("the groups hold parameters that the model does not have")
    leaves, _ = jax.tree_util.tree_flatten_with_path(parameter_tree(model))
    return {jax.tree_util.keystr(path): number_of[id(leaf)] for path, leaf in leaves if id(leaf) in number_of}
