"""Optimizers over groups of parameters, each with options of its own, as torch.optim takes them."""

import dataclasses
import inspect
import math
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import optax


class GroupsState(NamedTuple):
    """The state of an optimizer over groups: what its `param_groups` say, and the state of the update of each."""

    param_groups: list
    inner: list[Any]


class ParameterStates(NamedTuple):
    """The state of an optimizer over groups that keeps what it has of each parameter apart, as torch's optimizers do: for each
    group, by the paths of its parameters."""

    param_groups: list
    inner: list[Any]


@dataclasses.dataclass(frozen=True)
class Member:
    """A parameter of a group: torch's shape, and where the model keeps it."""

    shape: tuple
    dtype: Any
    path: str

    @property
    def size(self):
        return math.prod(self.shape)

    @property
    def ndim(self):
        return len(self.shape)


def with_param_groups(make, model, groups, **options):
    """torch.optim over some of the parameters of a model, or over groups of them with options of their own.

    `make` is given the options of a group and gives its optimizer; `options` are those of groups that say nothing. All else is
    left as it is. Options that may change are numbers in the state, `opt_state.param_groups[0]["lr"]`, and `"params"` there
    says the shapes and types of the parameters."""
    return updates_of_groups(make, *kept_groups(make, model, groups, options))


def as_torch_optimizer(make, model, groups, **options):
    """The same with a state that has torch's form: the options of each group, and what is kept of each parameter by itself.

    `make` is an optimizer of torch, which takes torch's options."""
    return updates_of_parameters(make, *kept_groups(make, model, groups, options))


def kept_groups(make, model, groups, options):
    """The options that groups have, the number of the group of each parameter, and what gives the groups at first."""
    own, options = groups_with_options(make, groups, options)
    return kept_with_data(own, options, member_paths(model, [group["params"] for group in own]))


def updates_of_groups(make, options, number_of, groups):
    """An optimizer over groups, for parameters by their paths; those in no group stay as they are. `groups` gives what
    the groups say at first."""

    def flatten(tree):
        return jax.tree_util.tree_flatten_with_path(tree, is_leaf=lambda x: x is None)

    def by_path(tree):
        return {jax.tree_util.keystr(path): leaf for path, leaf in flatten(tree)[0]}

    def split(tree, count):
        leaves = by_path(tree)
        return [{path: leaves.get(path) for path, n in number_of.items() if n == i} for i in range(count)]

    def optimizers(param_groups):
        return [make(**{name: group[name] for name in options}) for group in param_groups]

    def init(params):
        full = groups()
        return GroupsState(full, [made.init(part) for made, part in zip(optimizers(full), split(params, len(full)))])

    def update(grads, state, params):
        count = len(state.param_groups)
        parts = zip(optimizers(state.param_groups), split(grads, count), state.inner, split(params, count))
        results = [made.update(grad, inner, part) for made, grad, inner, part in parts]
        steps = {path: step for result, _ in results for path, step in result.items()}
        parameters = by_path(params)
        zero = lambda leaf: None if leaf is None else jnp.zeros_like(leaf)
        still = lambda path, leaf: zero(parameters.get(path) if leaf is None else leaf)
        updates = [steps.get(path, still(path, leaf)) for path, leaf in by_path(grads).items()]
        return flatten(grads)[1].unflatten(updates), GroupsState(state.param_groups, [inner for _, inner in results])

    return optax.GradientTransformation(init, update)


def updates_of_parameters(make, options, number_of, groups):
    """The same where each parameter has a state of its own, which stays as it is, as does the parameter, without a gradient."""
    flatten = lambda tree: jax.tree_util.tree_flatten_with_path(tree, is_leaf=lambda x: x is None)
    by_path = lambda tree: {jax.tree_util.keystr(path): leaf for path, leaf in flatten(tree)[0]}

    def optimizers(param_groups):
        return [make(**{name: group[name] for name in options}) for group in param_groups]

    def init(params):
        full = groups()
        held = [
            (path, number_of[path], p) for path, p in by_path(params).items() if path in number_of and p is not None
        ]
        made = enumerate(optimizers(full))
        return ParameterStates(full, [{path: one.init(p) for path, n, p in held if n == i} for i, one in made])

    def update(grads, state, params):
        parameters, gradients, steps = by_path(params), by_path(grads), {}
        inner = [dict(states) for states in state.inner]
        made = optimizers(state.param_groups)
        for path, number in number_of.items():
            if gradients.get(path) is not None:
                kept = inner[number].get(path)
                kept = made[number].init(parameters[path]) if kept is None else kept
                update = made[number].update(gradients[path], kept, parameters[path])
                steps[path], inner[number][path] = update
        still = lambda path: None if parameters.get(path) is None else jnp.zeros_like(parameters[path])
        updates = [steps[path] if path in steps else still(path) for path in gradients]
        return flatten(grads)[1].unflatten(updates), ParameterStates(state.param_groups, inner)

    return optax.GradientTransformation(init, update)


def groups_with_options(make, groups, options):
    """The groups as dicts that hold lists of parameters, and the options of those that say nothing."""
    groups = list(groups)
    groups = groups if groups and isinstance(groups[0], dict) else [{"params": groups}]
    known = {name: item.default for name, item in inspect.signature(make).parameters.items() if name != "params"}
    options = {**{name: value for name, value in known.items() if value is not inspect.Parameter.empty}, **options}
    refused = {"betas", "eps", "momentum", "alpha", "amsgrad", "centered", "dampening", "maximize", "nesterov", "rho"}
    if unknown := refused & {name for group in groups for name in group} - options.keys():
        raise ValueError(f"groups of parameters with their own {', '.join(sorted(unknown))} are not translated")
    return [{**group, "params": members_of(group["params"])} for group in groups], options


def with_members(groups, paths):
    """Groups that say what does not change of their parameters."""
    member = lambda p: Member(tuple(p.shape), p.dtype, paths[id(p)])
    return [{**group, "params": [member(p) for p in group["params"]]} for group in groups]


def members_of(given):
    """The parameters of a group, which is given one, several, or pairs of names and parameters."""
    items = [given] if hasattr(given, "shape") else given
    return [item[1] if isinstance(item, tuple) else item for item in items]


def check_apart(groups):
    """Refuse groups that share parameters, as torch does, or have one twice, which torch warns of and updates twice in each
    step; what is left are the ids of all parameters."""
    number_of = {}
    for number, group in enumerate(groups):
        for parameter in group:
            if number_of.get(id(parameter), number) != number:
                raise ValueError("some parameters appear in more than one parameter group")
            if id(parameter) in number_of:
                raise ValueError("a parameter group has a parameter twice: list it once")
            number_of[id(parameter)] = number
    return set(number_of)


def member_paths(model, groups):
    """The paths at which a model keeps the parameters of groups, by their ids."""
    wanted, paths = check_apart(groups), {}
    for path, leaf in jax.tree_util.tree_flatten_with_path(model)[0]:
        for parameter in (leaf, getattr(leaf, "torch_view", None)):
            if id(parameter) in wanted:
                paths[id(parameter)] = jax.tree_util.keystr(path)
    if wanted - paths.keys():
        raise ValueError("the groups hold parameters that the model does not have")
    return paths


def may_change(name):
    """Whether an option of a group is a number that may change while the program trains."""
    return name in ("lr", "momentum", "weight_decay") or "count" in name


@jax.tree_util.register_pytree_with_keys_class
class ParamGroup(dict):
    """What a group of parameters says: numbers that may change, and arrays, are data, whatever else it has is static."""

    changes = staticmethod(may_change)
    data = ()  # of what a transformation gives: what is data there, also where something else stands for it

    def tree_flatten_with_keys(self):
        is_data = lambda name, value: name in self.data or self.changes(name) or holds_array(value)
        data = [name for name, value in self.items() if is_data(name, value)]
        fixed = tuple((name, value) for name, value in self.items() if name not in data)
        return [(jax.tree_util.DictKey(name), self[name]) for name in data], (tuple(self), tuple(data), fixed)

    @classmethod
    def tree_unflatten(cls, static, children):
        names, data, fixed = static
        held = {**dict(zip(data, children)), **dict(fixed)}
        group = cls({name: held[name] for name in names})
        group.data = data
        return group


def holds_array(value):
    """Whether an option is an array, or several."""
    return any(isinstance(leaf, jax.Array) for leaf in jax.tree.leaves(value))


def kept_with_data(groups, options, paths):
    """The options that groups have, the number of the group of each parameter by its path, and what gives the groups at first."""
    number = lambda name, value: jnp.asarray(value) if "count" in name else jnp.asarray(value, float)
    fixed = lambda value: tuple(value) if isinstance(value, list) else value
    change = lambda name, value: number(name, value) if may_change(name) else fixed(value)
    full = [{**options, **group} for group in with_members(groups, paths)]
    kept = lambda: [ParamGroup({name: change(name, value) for name, value in group.items()}) for group in full]
    number_of = {paths[id(p)]: number for number, group in enumerate(groups) for p in group["params"]}
    return options, {path: number for path, number in number_of.items() if path is not None}, kept
