"""Control flow in code that is not compiled: Python decides in JAX, too, and the text stays."""

import equinox as eqx
import jax
import jax.numpy as jnp
from torch2jax.runtime.reductions import absolute, norm


def case_if_on_sum(x: jax.Array):
    if x.sum() > 0:
        y = x * 2
    else:
        y = -x
    return y


def case_while_on_norm(x: jax.Array):
    steps = 0
    while norm(x) > 1:
        x = x / 2
        steps += 1
    return x, steps


def case_break_on_maximum(x: jax.Array):
    for i in range(10):
        x = x + i
        if x.max() > 20:
            break
    return x, i


def case_continue_on_value(v: jax.Array):
    total = jnp.zeros(())
    for i in range(3):
        if v[i] < 0:
            continue
        total = total + v[i]
    return total


def case_different_shapes(x: jax.Array):
    if x.sum() > 0:
        return x[:1]
    return x


def case_ternary(x: jax.Array, y: jax.Array):
    top = x if x.max() > y.max() else y
    return top.sum(), 1 if x.mean() > 0 else 2


def case_and_or_not(x: jax.Array, flag):
    if flag and x.sum() > 0 and not (x > 100).any():
        return x.sum() * 2
    return x.sum()


# unchanged
def case_on_numbers(n, scale):
    total = 0
    for i in range(n):
        if i % 2 == 0 and scale < 1:
            total += i
        elif scale > 2:
            break
    else:
        total = -1
    return total if total > 0 else scale


# unchanged
def case_on_strings(flag):
    mode = "train" if flag else "test"
    if mode == "train":
        parts = [mode]
    else:
        parts = []
    while len(parts) < 3:
        parts.append("x")
    return len(parts)


def case_assertions(x: jax.Array):
    assert x.ndim == 2, "a matrix"
    assert (x < 100).all()
    if jnp.isnan(x).any():
        raise ValueError("not a number")
    return x + 1


def case_try_and_catch(x: jax.Array):
    try:
        if x.sum() > 0:
            raise ValueError("positive")
        return x
    except ValueError:
        return -x


def case_numbers_from_tensors(x: jax.Array):
    top = x.max().item()
    n = int(x.sum().item() > 0) + 1
    rows = [float(row.sum()) for row in x]
    return top * 2, x[:n], sum(rows) > 0


def case_mask_and_nonzero(x: jax.Array):
    positive = x[x > 0]
    where = jnp.argwhere(x > 0)
    return positive, where, len(positive)


def case_list_of_steps(batch: jax.Array):
    h = jnp.zeros((2, 4))
    outs = []
    for t in range(batch.shape[1]):
        h = 0.5 * h + batch[:, t]
        outs.append(h)
    return jnp.stack(outs, axis=1)


class Halting(eqx.Module):
    """Runs until it is sure."""

    limit: float

    def __init__(self):
        self.limit = 4.0

    def __call__(self, x):
        for _ in range(8):
            if absolute(x).max() > self.limit:
                break
            x = x * 1.5
        return x if x.mean() > 0 else -x


def case_module_that_is_only_called(x: jax.Array):
    return Halting()(x)


def case_greedy_search(v: jax.Array):
    best, place = -1.0, 0
    for i, value in enumerate(v):
        if value > best:
            best, place = value.item(), i
    return best, place


def case_builtin_min_max(x: jax.Array, y: jax.Array):
    return max(x.max(), y.max()), min(x.sum().item(), 2.0), bool((x > 0).any()), absolute(x.min())
