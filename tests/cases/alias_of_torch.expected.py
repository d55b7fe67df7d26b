import equinox as eqx
import jax
import jax.numpy as jnp

x = jnp.ones(2)
layer = eqx.nn.Lambda(jax.nn.relu)
