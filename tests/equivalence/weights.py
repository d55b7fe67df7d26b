"""Carries weights from torch modules to their translations, by torch's own names.

`torch2jax.runtime.checkpoints` does the work and is strict; here it is only decided which entries the translation need
not have: the other names of a tied parameter, counters of batches, and constants that were not given as state.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import equinox as eqx
import jax
import numpy as np
import torch

from torch2jax.runtime import checkpoints


@dataclass(frozen=True, slots=True)
class TorchWeights:
    """The state dict of a module at one time, and for each parameter name the name under which torch counts it."""

    module: torch.nn.Module
    values: Mapping[str, np.ndarray]
    canonical: Mapping[str, str]

    @classmethod
    def of(cls, module: torch.nn.Module) -> TorchWeights:
        values = {name: _copy(value) for name, value in module.state_dict().items() if isinstance(value, torch.Tensor)}
        first_names = {id(parameter): name for name, parameter in module.named_parameters()}
        every_name = module.named_parameters(remove_duplicate=False)
        return cls(module, values, {name: first_names[id(parameter)] for name, parameter in every_name})

    @property
    def class_name(self) -> str:
        return type(self.module).__name__

    def for_names(self, names: Iterable[str]) -> dict[str, np.ndarray]:
        """The entries to load into a translation that knows `names`; what it must have stays in, so that loading fails."""
        names = set(names)
        covered = {self.canonical.get(name, name) for name in names}
        return {
            name: value
            for name, value in self.values.items()
            if name in names or (name in self.canonical and self.canonical[name] not in covered)
        }


def carry(source: TorchWeights, model: Any) -> Any:
    """The new translated model with the parameters of `source`; its initial running statistics stay."""
    if not any(isinstance(leaf, eqx.nn.StateIndex) for leaf in jax.tree.leaves(model, is_leaf=_is_index)):
        return checkpoints.load_state_dict(model, source.for_names(checkpoints.state_dict(model)))
    return carry_with_state(source, model, eqx.nn.State(model))[0]


def carry_with_state(source: TorchWeights, model: Any, state: Any) -> tuple[Any, Any]:
    """The translated model and its state with all parameters and running statistics of `source`."""
    values = source.for_names(checkpoints.state_dict(model, state=state))
    missing = [name for name in source.values if name.endswith(("running_mean", "running_var")) and name not in values]
    assert not missing, f"the translation does not keep {', '.join(missing)}"
    model, state = checkpoints.load_state_dict(model, values, state=state)
    return model, state


def named_values(model: Any, state: Any = None) -> dict[str, np.ndarray]:
    """All parameters and buffers of a translated model by torch's names."""
    values = checkpoints.state_dict(model) if state is None else checkpoints.state_dict(model, state=state)
    return {name: np.asarray(value) for name, value in values.items()}


def has_parameters(model: Any) -> bool:
    """Whether a model, of either framework, has anything to train."""
    if isinstance(model, torch.nn.Module):
        return any(True for _ in model.parameters())
    return bool(checkpoints.named_parameters(model))


def _is_index(value: Any) -> bool:
    return isinstance(value, eqx.nn.StateIndex)


def _copy(value: torch.Tensor) -> np.ndarray:
    array: np.ndarray = value.detach().numpy().copy()
    return array
