# A program.
"""What it does with torch."""

import jax


# above f
def f(x: jax.Array):
    """Doubles torch tensors."""
    # inside
    y = x + x  # beside

    # before the end
    return y
    # after


# the end
