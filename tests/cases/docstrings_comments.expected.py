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


def g(x: jax.Array):
    z = x + x

    # above the block
    # in the block
    y = z * 2
    y = jax.lax.stop_gradient(y)
    return z - y


# the end
