"""The base of optimizers that a program writes itself: torch.optim.Optimizer with a method for one parameter."""

import jax
import jax.numpy as jnp
import optax

from torch2jax.runtime.parameter_groups import ParameterStates, member_paths, members_of, with_members


class FixedOption(float):
    """A number among the options of a group that does not change while it is trained."""

    def item(self):
        return float(self)

    def __getitem__(self, index):
        return self


class ParameterOptimizer:
    """torch.optim.Optimizer, as an optimizer of Optax: `update_parameter` gives a parameter and its state after a step.

    The learning rates are numbers in the state, which may change; all other options are those of the program."""

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

    def init(self, params):
        groups = with_members(self.groups, member_paths(params, [group["params"] for group in self.groups]))
        self.shapes |= {member.path: member.shape for group in groups for member in group["params"]}
        inner = [{member.path: {} for member in group["params"]} for group in groups]
        return ParameterStates([kept_group(group) for group in groups], inner)

    def update(self, grads, state, params):
        flatten = lambda tree: jax.tree_util.tree_flatten_with_path(tree, is_leaf=lambda x: x is None)
        (leaves, treedef), parameters = flatten(grads), dict(flatten(params)[0])
        gradients = {jax.tree_util.keystr(path): leaf for path, leaf in leaves}
        parameters = {jax.tree_util.keystr(path): leaf for path, leaf in parameters.items()}
        steps, inner = {}, []
        for group, parts in zip(state.param_groups, state.inner):
            plain = {name: float(v) if isinstance(v, FixedOption) else v for name, v in group.items()}
            inner.append({})
            for path, kept in parts.items():
                inner[-1][path], steps[path] = kept, None
                if gradients.get(path) is not None:
                    p, shape = parameters[path], self.shapes[path]
                    new, kept = self.update_parameter(
                        p.reshape(shape), gradients[path].reshape(shape), dict(kept), dict(plain)
                    )
                    steps[path] = jnp.reshape(new.astype(p.dtype), p.shape) - p
                    inner[-1][path] = jax.tree.map(jnp.asarray, kept)
        still = lambda leaf: None if leaf is None else jnp.zeros_like(leaf)
        named = [(jax.tree_util.keystr(path), leaf) for path, leaf in leaves]
        updates = [still(leaf) if steps.get(path) is None else steps[path] for path, leaf in named]
        return treedef.unflatten(updates), ParameterStates(state.param_groups, inner)


def kept_group(group):
    """The options of a group of parameters in the state of an optimizer."""
    is_fixed = lambda value: isinstance(value, float) and not isinstance(value, bool)
    kept = {name: FixedOption(value) if is_fixed(value) else value for name, value in group.items()}
    return {**kept, **({"lr": jnp.asarray(group["lr"], float)} if "lr" in group else {})}
