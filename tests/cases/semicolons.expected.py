import jax.numpy as jnp
x = jnp.ones(2)
a = 1; b = 2
y = x + 1
y = y.at[0].set(3)
z = y + 1  # kept
