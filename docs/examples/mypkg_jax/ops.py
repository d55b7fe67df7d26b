"""Functions for which the project has fast kernels."""

import jax


def fused_gelu(x, scale=1.0):
    """`scale` times GELU."""
    return jax.nn.gelu(x, approximate=False) * scale


def silu(x):
    """The project's kernel for SiLU would stand here."""
    return x * jax.nn.sigmoid(x)
