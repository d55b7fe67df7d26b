import equinox as eqx
import jax
import jax.numpy as jnp
from torch2jax.runtime.reductions import clamp, max_along


class Table(eqx.Module):
    emb: eqx.nn.Embedding

    def __init__(self, *, key):
        self.emb = eqx.nn.Embedding(4, 3, key=key)
        self.emb = eqx.tree_at(lambda m: m.weight, self.emb, self.emb.weight.at[0].set(0))
        self.emb = eqx.tree_at(lambda m: m.weight, self.emb, self.emb.weight.at[1].set(jnp.ones_like(self.emb.weight[1])))


def parts(x: jax.Array, y: jax.Array):
    x = x * 1
    x = x.at[:, 0].set(y)  # a column
    x = x.at[0].add(1)
    x = x.at[..., 1:].multiply(2)
    for i in range(2):
        x = x.at[i].set(0)
        x = x.at[i, 2].set(y[i])
    x = x.at[1:].set(clamp(x[1:], min=0) - 1)
    x = x.at[0].set(x[0] + 2 * y[0])
    return x


def whole_numbers(y: jax.Array):
    z = jnp.zeros((3, 4), dtype=int)
    z = z.at[0].set(jnp.broadcast_to(y, z[0].shape).astype(z[0].dtype))
    return z


def functions(x: jax.Array):
    x = x * 1
    x = jax.nn.relu(x)
    x = jax.nn.elu(x)
    x = jax.nn.relu(x)
    x = x.at[0].set(jnp.exp(x[0]))
    return jnp.sqrt(x * x)


def outputs(x: jax.Array, y: jax.Array):
    c = jnp.empty((3, 4))
    c = (x + y).astype(c.dtype)
    v, i = jnp.empty(3), jnp.empty(3, dtype=int)
    v, i = max_along(x, 1)
    d = jnp.zeros((2, 3))
    d = d.at[1].set(x @ y[0])
    return c, v, i, d
