"""Windows of torch.signal.windows: symmetric ones, or periodic ones for spectra."""

import math

import jax.numpy as jnp


def cosine_sum_window(m, coefficients, sym=True, dtype=jnp.float32):
    """torch.signal.windows.general_cosine: a sum of cosines with signs that alternate."""
    angle = 2 * math.pi * jnp.arange(m) / max(m - 1 if sym else m, 1)
    terms = [(-1) ** k * a * jnp.cos(k * angle) for k, a in enumerate(coefficients)]
    return jnp.ones(1, dtype) if m == 1 else sum(terms).astype(dtype)


def bartlett_window(m, sym=True, dtype=jnp.float32):
    """torch.signal.windows.bartlett: a triangle."""
    place = 2 * jnp.arange(m) / max(m - 1 if sym else m, 1) - 1
    return jnp.ones(1, dtype) if m == 1 else (1 - jnp.abs(place)).astype(dtype)


def cosine_window(m, sym=True, dtype=jnp.float32):
    """torch.signal.windows.cosine: half a wave of the sine."""
    return jnp.sin(math.pi * (jnp.arange(m) + 0.5) / max(m if sym or m == 1 else m + 1, 1)).astype(dtype)


def exponential_window(m, center=None, tau=1.0, sym=True, dtype=jnp.float32):
    """torch.signal.windows.exponential."""
    center = (m - 1 if sym or m == 1 else m) / 2 if center is None else center
    return jnp.exp(-jnp.abs(jnp.arange(m) - center) / tau).astype(dtype)


def gaussian_window(m, std=1.0, sym=True, dtype=jnp.float32):
    """torch.signal.windows.gaussian."""
    center = (m - 1 if sym or m == 1 else m) / 2
    return jnp.exp(-(((jnp.arange(m) - center) / std) ** 2) / 2).astype(dtype)


def kaiser_window(m, beta=12.0, sym=True, dtype=jnp.float32):
    """torch.signal.windows.kaiser."""
    place = 2 * jnp.arange(m) / max(m - 1 if sym else m, 1) - 1
    size = beta * jnp.sqrt(jnp.maximum(1 - place**2, 0))
    return jnp.ones(1, dtype) if m == 1 else (jnp.i0(size) / jnp.i0(beta)).astype(dtype)
