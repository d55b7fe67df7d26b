"""The states of optimizers in the form that torch saves them in, and their way back."""

import jax
import jax.numpy as jnp
import numpy as np

from torch2jax.runtime.parameter_groups import ParameterStates


def optimizer_state_dict(state):
    """torch's optimizer.state_dict: what is kept of each parameter by its number, and the groups with such numbers."""
    entries, groups, count = {}, [], 0
    for group, inner in zip(state.param_groups, state.inner):
        numbers = list(range(count, count + len(group["params"])))
        for number, member in zip(numbers, group["params"]):
            entry = entry_of(inner.get(member.path), member.shape)
            if not group.get("momentum", 1):
                entry.pop("momentum_buffer", None)  # torch keeps none
            if entry:
                entries[number] = entry
        count += len(numbers)
        options = {name: plain_option(value) for name, value in group.items() if name != "params"}
        groups.append({**options, "params": numbers})
    return {"state": entries, "param_groups": groups}


def links_of(kept):
    """What the links of a chain keep under torch's names, in containers that may be changed."""
    if isinstance(kept, dict):
        return [kept]
    return [found for link in kept for found in links_of(link)] if isinstance(kept, tuple) else []


def entry_of(kept, shape):
    """What torch keeps of one parameter: nothing before its first step, but sums, which begin before."""
    if isinstance(kept, dict):
        return {name: np.asarray(value) for name, value in kept.items()}
    entry = {name: value for link in links_of(kept) for name, value in link.items()}
    if not any(name == "sum" or (name in COUNTS and value > 0) for name, value in entry.items()):
        return {}
    full = lambda value: np.asarray(value).reshape(shape if np.ndim(value) else ())
    step = {"step": np.asarray(entry["step"], np.float32)} if "step" in entry else {}
    return {**step, **{name: full(value) for name, value in entry.items() if name not in COUNTS}}


COUNTS = ("step", "")  # how often a parameter was updated: what torch counts, and what it does not


def plain_option(value):
    """An option as a number of Python's, as short as it was written."""
    if not isinstance(value, jax.Array):
        return float(value) if isinstance(value, float) else value
    return float(str(np.asarray(value))) if jnp.issubdtype(value.dtype, jnp.floating) else value.item()


def load_optimizer_state(state, saved):
    """torch's optimizer.load_state_dict: the state with what was saved, the options of the groups among it."""
    if "param_groups" not in saved:
        raise ValueError("what was saved is not the state of an optimizer in torch's form")
    if len(saved["param_groups"]) != len(state.param_groups):
        raise ValueError("loaded state dict has a different number of parameter groups")
    groups, kept = [], []
    for old, new, inner in zip(state.param_groups, saved["param_groups"], state.inner):
        if len(old["params"]) != len(new["params"]):
            raise ValueError(
                "loaded state dict contains a parameter group that doesn't match the size of optimizer's group"
            )
        options = {name: loaded_option(old.get(name), value) for name, value in new.items() if name != "params"}
        groups.append(type(old)({**options, "params": old["params"]}))
        entries = {member.path: saved["state"].get(n, {}) for n, member in zip(new["params"], old["params"])}
        kept.append({path: with_entry(own, entries.get(path, {}), path) for path, own in inner.items()})
    return ParameterStates(groups, kept)


def loaded_option(old, value):
    """An option that was loaded, in the place of one that is an array, or a number that does not change."""
    if isinstance(old, jax.Array):
        return jnp.asarray(value, old.dtype if jnp.issubdtype(old.dtype, jnp.floating) else None)
    return type(old)(value) if isinstance(old, float) and isinstance(value, (int, float)) else value


def with_entry(kept, entry, path):
    """What is kept of one parameter, with the values of torch's form."""
    entry = {name: value for name, value in entry.items() if value is not None}
    if isinstance(kept, dict):
        return {name: jnp.asarray(value) for name, value in entry.items()}
    links = links_of(kept)
    names = {name for link in links for name in link} - {"", "momentum_buffer"}
    if entry and names - entry.keys():
        raise ValueError(f"what was saved of {path} has no {', '.join(sorted(names - entry.keys()))}")
    if unknown := entry.keys() - names - {"momentum_buffer"}:
        raise ValueError(f"this optimizer does not keep {', '.join(sorted(unknown))}, which was saved of {path}")
    is_fresh = not any(value > 0 for link in links for name, value in link.items() if name in COUNTS)
    if entry or is_fresh:
        return filled(kept, lambda name, value: loaded_value(name, value, entry))
    if names & {"eta", "step_size", "sum"}:
        raise ValueError(f"nothing was saved of {path}, which this optimizer has updated")
    return filled(kept, first_value)


def filled(kept, value_of):
    """The state of a chain with other values in its links."""
    if isinstance(kept, dict):
        return {name: value_of(name, value) for name, value in kept.items()}
    parts = [filled(link, value_of) for link in kept]
    return type(kept)(*parts) if hasattr(kept, "_fields") else tuple(parts)


def first_value(name, old):
    """A value before the first step, where what was saved had none: torch starts anew."""
    return jnp.ones_like(old) if name == "mu_product" else jnp.zeros_like(old)


def loaded_value(name, old, entry):
    """A value of torch's form; a count that torch does not keep says whether there was a step."""
    if name not in entry:
        return jnp.asarray(int(bool(entry)) if name == "" else old, old.dtype)
    return jnp.asarray(np.asarray(entry[name]).reshape(old.shape), old.dtype)
