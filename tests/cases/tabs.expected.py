import jax
import jax.numpy as jnp


def f(x: jax.Array):
	if x is None:
		return jnp.zeros(1)
	y = jnp.sin(x)
	y = y.at[0].set(1)
	return y
