"""Which arrays a gradient comes to."""

import jax


def watch_gradient(key, array, reached):
    """`array`, whose `key` is added to the set `reached` when what is computed from it has a gradient."""
    watched = jax.custom_vjp(lambda x: x)

    def backward(_, cotangent):
        if isinstance(cotangent, jax.custom_derivatives.SymbolicZero):
            return (None,)
        reached.add(key)
        return (cotangent,)

    watched.defvjp(lambda x: (x.value, None), backward, symbolic_zeros=True)
    return watched(array)
