"""Questions about dtypes, of which JAX has those with 64 bits only if jax_enable_x64 is set."""

import jax


def is_dtype(dtype, wanted):
    """`dtype == wanted` of torch: whether arrays that are made with one or the other have one dtype; None is none."""
    return dtype is not None and jax.dtypes.canonicalize_dtype(dtype) == jax.dtypes.canonicalize_dtype(wanted)
