"""The base of optimizers that a program writes itself: torch.optim.Optimizer with a method for one parameter."""

import jax
import jax.numpy as jnp
import optax

from torch2jax.runtime.parameter_groups import ParameterStates, ParamGroup, member_paths, members_of, with_members


class RequiredOption:
    """What options are first where each group has to say them."""

    def __repr__(self):
        return "<required parameter>"


REQUIRED = RequiredOption()


class FixedOption(float):
    """A number among the options of a group that does not change while it is trained."""

    def item(self):
        return float(self)

    def __getitem__(self, index):
        return self


class KeptState(dict):
    """What an optimizer keeps of a parameter: numbers are arrays from the first step on, as they are in compiled code."""

    def __setitem__(self, name, value):
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
        super().__setitem__(name, jnp.asarray(value) if is_number else value)


class ParameterOptimizer:
    """torch.optim.Optimizer, as an optimizer of Optax: `update_parameter` gives a parameter and its state after a step.

    The learning rates are numbers in the state, which may change, as are `changed_options`; all others are those of the program. What is computed
    of numbers alone, such as powers of the number of the step, has double precision, as in Python."""

    changed_options = ()  # which the program changes, besides the learning rates

    def __init__(self, params, defaults):
        groups = list(params)
        groups = groups if groups and isinstance(groups[0], dict) else [{"params": groups}]
        self.defaults = defaults
        self.groups = [{**defaults, **group, "params": members_of(group["params"])} for group in groups]
        self.shapes = {}

    # What asks for an optimizer is told so. Its base cannot be the class of Optax: its instances are tuples, which JAX takes apart.
    @property
    def __class__(self):
        return optax.GradientTransformation

    def init(self, params, paths=member_paths):
        groups = with_members(self.groups, paths(params, [group["params"] for group in self.groups]))
        self.shapes |= {member.path: member.shape for group in groups for member in group["params"]}
        inner = [{member.path: {} for member in group["params"] if member.path is not None} for group in groups]
        return ParameterStates([kept_group(group, self.changed_options) for group in groups], inner)

    def update(self, grads, state, params):
        flatten = lambda tree: jax.tree_util.tree_flatten_with_path(tree, is_leaf=lambda x: x is None)
        (leaves, treedef), parameters = flatten(grads), dict(flatten(params)[0])
        gradients = {jax.tree_util.keystr(path): leaf for path, leaf in leaves}
        parameters = {jax.tree_util.keystr(path): leaf for path, leaf in parameters.items()}
        steps, inner = {}, []
        for number, (group, parts) in enumerate(zip(state.param_groups, state.inner)):
            plain = {name: float(v) if isinstance(v, FixedOption) else v for name, v in group.items()}
            plain["group_number"] = number
            inner.append({})
            for path, kept in parts.items():
                inner[-1][path], steps[path] = kept, None
                if gradients.get(path) is not None:
                    p, grad = parameters[path], gradients[path].reshape(self.shapes[path])
                    copied = lambda tree: jax.tree.map(lambda value: value, tree)
                    keep = jnp.asarray if jax.config.jax_enable_x64 else with_single_precision
                    with jax.enable_x64(True):
                        new, kept = self.update_parameter(
                            p.reshape(grad.shape), grad, KeptState(copied(kept)), dict(plain)
                        )
                        new, kept = new.astype(p.dtype), jax.tree.map(keep, dict(kept))
                    steps[path], inner[-1][path] = new.reshape(p.shape) - p, kept
        still = lambda leaf: None if leaf is None else jnp.zeros_like(leaf)
        named = [(jax.tree_util.keystr(path), leaf) for path, leaf in leaves]
        updates = [still(leaf) if steps.get(path) is None else steps[path] for path, leaf in named]
        return treedef.unflatten(updates), ParameterStates(state.param_groups, inner)


def with_single_precision(value):
    """What a step keeps, with 32 bits for a number instead of 64."""
    value = jnp.asarray(value)
    single = {"int64": jnp.int32, "float64": jnp.float32, "complex128": jnp.complex64}
    return value.astype(single.get(value.dtype.name, value.dtype))


def kept_group(group, changed=()):
    """The options of a group of parameters in the state of an optimizer."""
    is_number = lambda value: isinstance(value, (int, float)) and not isinstance(value, bool)
    fixed = lambda value: FixedOption(value) if is_number(value) and isinstance(value, float) else value
    rates = {"lr": jnp.asarray(group["lr"], float)} if group.get("lr") is not None else {}
    numbers = {name: jnp.asarray(group[name], float) for name in changed if is_number(group.get(name))}
    return {name: fixed(value) for name, value in group.items()} | numbers | rates


@jax.tree_util.register_pytree_with_keys_class
class OwnGroup(ParamGroup):
    """What a group of parameters says to an optimizer of the program: the learning rate is data, whatever else it has is static."""

    changes = staticmethod(lambda name: name == "lr")


def with_fixed_options(state):
    """The state of an optimizer whose groups say what is data and what is static."""
    fixed = lambda value: tuple(value) if isinstance(value, list) else value
    groups = [OwnGroup({name: fixed(value) for name, value in group.items()}) for group in state.param_groups]
    return ParameterStates(groups, state.inner)
