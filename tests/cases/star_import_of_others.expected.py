import jax.numpy as jnp
from math import *

x = jnp.ones(3) * sqrt(2)
