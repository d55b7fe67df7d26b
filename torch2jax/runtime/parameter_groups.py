"""Optimizers over groups of parameters, each with options of its own, as torch.optim takes them."""

import inspect
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import optax


class GroupsState(NamedTuple):
    """The state of an optimizer over groups: what its `param_groups` say, and the state of the update of each."""

    param_groups: list
    inner: list[Any]


def with_param_groups(make, model, groups, **options):
    """torch.optim over some of the parameters of a model, or over groups of them with options of their own.

    `make` is given the options of a group and gives its optimizer; `options` are those of groups that say nothing. All else is
    left as it is. Options that may change are numbers in the state, `opt_state.param_groups[0]["lr"]`, and `"params"` there
    says the shapes and types of the parameters."""
    groups = list(groups)
    groups = groups if groups and isinstance(groups[0], dict) else [{"params": groups}]
    known = {name: item.default for name, item in inspect.signature(make).parameters.items() if name != "params"}
    options = {**{name: value for name, value in known.items() if value is not inspect.Parameter.empty}, **options}
    own = [{**group, "params": members_of(group["params"])} for group in groups]
    number_of = group_numbers(model, [group["params"] for group in own])
    own = [{**group, "params": [jax.ShapeDtypeStruct(p.shape, p.dtype) for p in group["params"]]} for group in own]
    refused = {"betas", "eps", "momentum", "alpha", "amsgrad", "centered", "dampening", "maximize", "nesterov", "rho"}
    if unknown := refused & {name for group in own for name in group} - options.keys():
        raise ValueError(f"groups of parameters with their own {', '.join(sorted(unknown))} are not translated")

    def flatten(tree):
        return jax.tree_util.tree_flatten_with_path(tree, is_leaf=lambda x: x is None)

    def split(tree):
        leaves = {jax.tree_util.keystr(path): leaf for path, leaf in flatten(tree)[0]}
        return [{path: leaves.get(path) for path, n in number_of.items() if n == i} for i in range(len(groups))]

    def optimizers(param_groups):
        return [make(**{name: group[name] for name in options}) for group in param_groups]

    def init(params):
        is_changing = lambda name: name in ("lr", "momentum", "weight_decay") or "count" in name
        change = lambda name, value: jnp.asarray(value) if is_changing(name) else value
        full = [{name: change(name, value) for name, value in {**options, **group}.items()} for group in own]
        return GroupsState(full, [made.init(part) for made, part in zip(optimizers(full), split(params))])

    def update(grads, state, params):
        parts = zip(optimizers(state.param_groups), split(grads), state.inner, split(params))
        results = [made.update(grad, inner, part) for made, grad, inner, part in parts]
        steps = {path: step for result, _ in results for path, step in result.items()}
        leaves, treedef = flatten(grads)
        zero = lambda leaf: None if leaf is None else jnp.zeros_like(leaf)
        updates = [steps.get(jax.tree_util.keystr(path), zero(leaf)) for path, leaf in leaves]
        return treedef.unflatten(updates), GroupsState(state.param_groups, [inner for _, inner in results])

    return optax.GradientTransformation(init, update)


def members_of(given):
    """The parameters of a group, which is given one, several, or pairs of names and parameters."""
    items = [given] if hasattr(given, "shape") else given
    return [item[1] if isinstance(item, tuple) else item for item in items]


def group_numbers(model, groups):
    """The number of the group that each parameter of a model belongs to, by the path at which the model keeps it."""
    number_of, paths = {}, {}
    for number, group in enumerate(groups):
        for parameter in group:
            if number_of.setdefault(id(parameter), number) != number:
                raise ValueError("some parameters appear in more than one parameter group")
    found = set()
    for path, leaf in jax.tree_util.tree_flatten_with_path(model)[0]:
        for parameter in (leaf, getattr(leaf, "torch_view", None)):
            if id(parameter) in number_of:
                paths[jax.tree_util.keystr(path)] = number_of[id(parameter)]
                found.add(id(parameter))
    if number_of.keys() - found:
        raise ValueError("the groups hold parameters that the model does not have")
    return paths
