"""Carries tensors from torch to NumPy and JAX, and texts to modules, for all tests that compare the two."""

import types
import warnings

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import torch

_NARROW = {"int64": "int32", "float64": "float32", "complex128": "complex64", "uint64": "uint32"}


def narrowed(dtype: object) -> str:
    """A dtype's name as in JAX's default mode."""
    name = str(dtype).removeprefix("torch.")
    return _NARROW.get(name, name)


def to_numpy(tensor: torch.Tensor) -> np.ndarray:
    """The numbers of a tensor, copied; its type stays. Raises TypeError for what NumPy cannot hold."""
    tensor = tensor.detach().resolve_conj().resolve_neg()
    if tensor.dtype is torch.bfloat16:
        return tensor.contiguous().view(torch.int16).numpy().view(ml_dtypes.bfloat16).copy()
    return np.array(tensor.numpy(force=True))


def to_wide_numpy(tensor: torch.Tensor) -> np.ndarray:
    """The numbers of a tensor; bfloat16 as float32, which NumPy's own functions know."""
    found = to_numpy(tensor)
    return found.astype(np.float32) if tensor.dtype is torch.bfloat16 else found


def to_jax(tensor: torch.Tensor, x64: bool = False) -> jax.Array:
    """The same array in JAX; 64 bits become 32 unless they are enabled."""
    dtype = str(tensor.dtype).removeprefix("torch.")
    return jnp.asarray(to_numpy(tensor), jnp.dtype(dtype if x64 else narrowed(dtype)))


def load(text: str) -> types.ModuleType:
    """A module that is made from text."""
    module = types.ModuleType("program")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exec(compile(text, "<program>", "exec", dont_inherit=True), module.__dict__)
    return module
