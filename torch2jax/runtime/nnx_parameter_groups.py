"""Optimizers over groups of parameters of modules of Flax NNX, each with options of its own, as torch.optim takes them."""

import inspect

import jax
import jax.numpy as jnp
import optax
from flax import nnx

from torch2jax.runtime.nnx_checkpoints import torch_variables
from torch2jax.runtime.parameter_groups import GroupsState, members_of


@jax.tree_util.register_pytree_with_keys_class
class ParamGroup(dict):
    """What a group of parameters says: numbers that may change are data, whatever else it has is static."""

    def tree_flatten_with_keys(self):
        names = [name for name in self if may_change(name)]
        fixed = tuple((name, value) for name, value in self.items() if not may_change(name))
        return [(jax.tree_util.DictKey(name), self[name]) for name in names], (tuple(self), fixed)

    @classmethod
    def tree_unflatten(cls, static, children):
        names, fixed = static
        held = {**dict(zip([name for name in names if may_change(name)], children)), **dict(fixed)}
        return cls({name: held[name] for name in names})


def may_change(name):
    """Whether an option of a group is a number that may change while the program trains."""
    return name in ("lr", "momentum", "weight_decay") or "count" in name


def with_param_groups(make, model, groups, **options):
    """torch.optim over some of the parameters of a model, or over groups of them with options of their own.

    `make` is given the options of a group and gives its optimizer; `options` are those of groups that say nothing. All else is
    left as it is. The options are in the state, `optimizer.opt_state.param_groups[0]["lr"]`, where numbers may change, and
    `"params"` there says the shapes and types of the parameters."""
    groups = list(groups)
    groups = groups if groups and isinstance(groups[0], dict) else [{"params": groups}]
    known = {name: item.default for name, item in inspect.signature(make).parameters.items() if name != "params"}
    options = {**{name: value for name, value in known.items() if value is not inspect.Parameter.empty}, **options}
    refused = {"betas", "eps", "momentum", "alpha", "amsgrad", "centered", "dampening", "maximize", "nesterov", "rho"}
    if unknown := refused & {name for group in groups for name in group} - options.keys():
        raise ValueError(f"groups of parameters with their own {', '.join(sorted(unknown))} are not translated")
    own = [{**group, "params": members_of(group["params"])} for group in groups]
    number_of = group_numbers(model, [group["params"] for group in own])
    shapes = lambda group: tuple(jax.ShapeDtypeStruct(p.shape, p.dtype) for p in group["params"])
    full = [{**options, **group, "params": shapes(group)} for group in own]

    def labels(params):
        return jax.tree_util.tree_map_with_path(lambda path, _: number_of.get(jax.tree_util.keystr(path), -1), params)

    def optimizer(param_groups):
        made = [make(**{name: group[name] for name in options}) for group in param_groups]
        return optax.partition({-1: optax.set_to_zero(), **dict(enumerate(made))}, labels)

    def init(params):
        number = lambda name, value: jnp.asarray(value) if "count" in name else jnp.asarray(value, float)
        change = lambda name, value: number(name, value) if may_change(name) else value
        kept = [ParamGroup({name: change(name, value) for name, value in group.items()}) for group in full]
        return GroupsState(kept, optimizer(kept).init(nnx.as_pure(params)))

    def update(grads, state, params):
        updates, inner = optimizer(state.param_groups).update(grads, state.inner, params)
        return updates, GroupsState(state.param_groups, inner)

    return optax.GradientTransformation(init, update)


def group_numbers(model, groups):
    """The number of the group that each parameter of a model belongs to, by its path in the state of the model."""
    number_of = {}
    for number, group in enumerate(groups):
        for parameter in group:
            if number_of.setdefault(id(parameter), number) != number:
                raise ValueError("some parameters appear in more than one parameter group")
    models = model if isinstance(model, tuple) else (model,)
    held = {id(entry.variable[...]) for part in models for entry in torch_variables(part) if entry.is_parameter}
    if number_of.keys() - held:
        raise ValueError("the groups hold parameters that the model does not have")
    leaves, _ = jax.tree_util.tree_flatten_with_path(nnx.as_pure(nnx.state(model, nnx.Param)))
    return {jax.tree_util.keystr(path): number_of[id(leaf)] for path, leaf in leaves if id(leaf) in number_of}
