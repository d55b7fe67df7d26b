"""Two names for one tensor, and copies that only look like it."""

import jax
import jax.numpy as jnp
from torch2jax.runtime.activations import dropout
from torch2jax.runtime.reductions import clamp


def case_second_name(x: jax.Array):
    a = x
    b = a
    b += 1
    a = b
    return a, b


def case_second_name_of_several(x: jax.Array):
    a = b = x * 2
    a = a * 2
    b = a
    c = b
    c = c.at[0].set(0)
    a = c
    b = c
    return a, b, c


def case_name_taken_away(x: jax.Array):
    a = x
    b = a
    a = a + 1
    b += 5
    return a, b


def case_saved_before(x: jax.Array):
    h = x * 1
    residual = h
    h += 1
    residual = h
    return h + residual


def case_copied_before(x: jax.Array):
    h = x * 1
    residual = h
    h += 1
    return h + residual


def case_previous_step(v: jax.Array):
    state = jnp.zeros(3)
    previous = state
    for _ in range(3):
        previous = state
        state = state + v
        state = state.at[0].set(1)
    return state, previous


def case_previous_is_the_same(v: jax.Array):
    state = jnp.zeros(3)
    for _ in range(3):
        previous = state
        state += v
        previous = state
    return state, previous


def case_swapped(x: jax.Array, y: jax.Array):
    a, b = x, y
    a, b = b, a
    a = a.at[0].set(1)
    return a, b


def case_result_of_in_place(x: jax.Array):
    a = x
    a = a + 1
    b = a
    b = b * 2
    a = b
    return a, b


def case_returned_in_place(x: jax.Array):
    a = x
    b = a
    a = a * 2
    b = a
    return a, b


def case_inside_an_expression(x: jax.Array):
    a = x
    a = jax.nn.relu(a)
    b = a + a
    return a, b


def case_out(x: jax.Array, y: jax.Array):
    total = jnp.zeros((2, 3))
    same = total
    total = (x + y).astype(total.dtype)
    same = total
    return total, same


def case_functions_in_place(x: jax.Array):
    a = x
    b = a
    a = jax.nn.relu(a)
    b = a
    b = jax.nn.relu(b)
    b = clamp(b, max=1) - 0.5
    a = b
    return a, b


def case_same_dtype_is_no_copy():
    a = jnp.zeros(3)
    b = a.astype(jnp.float32)
    b += 1
    a = b
    c = a.astype(float)
    c += 1
    return a, b, c.astype(jnp.float32)


def case_contiguous_is_no_copy(x: jax.Array):
    a = x
    b = a
    b = b.at[0].set(1)
    a = b
    return a


def case_closure_sees_it(x: jax.Array):
    a = x
    b = a

    def total():
        return a.sum()

    b += 1
    a = b
    return total()


def case_in_place_of_unseen(x: jax.Array):
    y = jax.nn.relu((x + 1) * 2)
    return y


def case_clone_under_its_own_name(x: jax.Array):
    x = x.at[0].set(1)
    return x


def case_detached_clone(x: jax.Array):
    best = jax.lax.stop_gradient(x)
    best += 1
    return best, x


# unchanged
def case_rebinding(x):
    a = x
    a = a + 1
    return a, x


# unchanged
def case_lists_stay_lists(n):
    a = [1, 2]
    b = a
    b += [n]
    b.append(4)
    return a, b


# unchanged
def case_objects(n):
    counts = {"a": 0}
    other = counts
    other["a"] += n
    return counts


# unchanged
def case_numbers(v):
    total = 0.0
    before = total
    total += 2
    return total, before, v


def case_number_or_tensor(x: jax.Array):
    total = 0.0
    for row in x:
        total += row.sum()
    return total


def case_accumulated(x: jax.Array):
    total = jnp.zeros(3)
    for row in x:
        total += row
    return total


def case_unknown_object(x: jax.Array, flag: bool):
    a = x
    b = a if flag else x + 1
    # torch2jax: T2J301 `a` is a view of `b`, and changing it in place changes both
    a += 1  # T2J301
    return a, b


def case_dropout_that_drops(x: jax.Array, *, key):
    y_key, z_key = jax.random.split(key)
    h = x * 2
    y = dropout(h, key=y_key) * 0
    y += 1
    z = dropout(h, key=z_key)
    z = jnp.full_like(z, 2)
    return y, z, h


def case_dropout_of_dead(x: jax.Array):
    y = x * 2
    y += 1
    return y
