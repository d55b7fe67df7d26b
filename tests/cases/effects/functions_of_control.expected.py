"""Control flow that programs say with functions themselves: torch.cond, while_loop, scan."""

import equinox as eqx
import jax
import jax.numpy as jnp
from torch2jax.runtime.batching import batched


def case_cond(x):
    def double(x):
        return x * 2

    return jax.lax.cond(x.sum() > 0, double, lambda x: -x, x)


def case_cond_tuple(x: jax.Array, y: jax.Array):
    a, b = jax.lax.cond(x.mean() > y.mean(), lambda x, y: (x + y, y.sum()), lambda x, y: (x - y, x.sum()), x, y)
    return a * b


def case_while(x: jax.Array):
    def running(i, x):
        return i < 3

    def body(i, x):
        return i + 1, x * 2

    i, x = jax.lax.while_loop(lambda carry: running(*carry), lambda carry: body(*carry), (jnp.array(0), x))
    return i, x


def case_scan(x: jax.Array):
    def step(carry, row):
        carry = carry + row
        return carry, carry * 2

    return jax.lax.scan(step, jnp.zeros(3), x)


def case_scan_with_pairs(batch: jax.Array):
    def step(carry, rows):
        total, peak = carry
        total = total + rows.mean()
        peak = jnp.maximum(peak, rows)
        return (total, peak), peak.sum()

    (total, peak), sums = jax.lax.scan(step, (jnp.zeros(()), jnp.zeros((3, 4))), batch)
    return total, peak, sums


def case_running_sum(x: jax.Array):
    return jax.lax.associative_scan(lambda a, b: a + b, x, axis=1)


def case_operands_in_a_variable(x: jax.Array):
    operands = (x, x + 1)
    # torch2jax: T2J201 `torch.cond` is translated, but not with `operands that are not written as a tuple in the call`
    return torch.cond(x.sum() > 100, lambda a, b: a + b, lambda a, b: a - b, operands)  # T2J201


def case_no_operands(x: jax.Array):
    return jax.lax.cond(x.sum() > 0, lambda: x + 1, lambda: x - 1)


class Gated(eqx.Module):
    fc: eqx.nn.Linear

    def __init__(self, *, key):
        self.fc = eqx.nn.Linear(3, 3, key=key)
        self.fc = eqx.tree_at(lambda m: m.weight, self.fc, jnp.full_like(self.fc.weight, 0.5))
        self.fc = eqx.tree_at(lambda m: m.bias, self.fc, jnp.zeros_like(self.fc.bias))

    def __call__(self, x):
        return jax.lax.cond(x.sum() > 0, lambda x: batched(self.fc)(x), lambda x: x * 2, x)


def case_cond_in_module(x: jax.Array, *, key):
    model = Gated(key=key)
    return model(x), model(-x)


def noisy(x, *, key):
    return x + jax.random.normal(key, x.shape, x.dtype)


def case_draws_in_a_branch(x: jax.Array, *, key):
    # torch2jax: T2J400 `noisy` draws random numbers in `jax.lax.cond`, which calls it, where no key can be passed
    return jax.lax.cond(x.sum() > 0, noisy, lambda x: x, x, key=key)  # T2J400
