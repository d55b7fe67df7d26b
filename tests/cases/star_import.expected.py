import jax
import jax.numpy as jnp

x = jnp.zeros(3)
y = jax.nn.relu(jnp.sin(x))
