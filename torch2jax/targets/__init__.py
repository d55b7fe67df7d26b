"""How each target library spells modules, randomness, state and training steps: mostly data."""

from torch2jax.targets.base import Target
from torch2jax.targets.equinox import EQUINOX
from torch2jax.targets.linen import LINEN
from torch2jax.targets.nnx import NNX

TARGETS: dict[str, Target] = {target.name: target for target in (EQUINOX, NNX, LINEN)}

__all__ = ["TARGETS", "Target"]
