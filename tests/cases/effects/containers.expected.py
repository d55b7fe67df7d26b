"""Tensors in lists, tuples and dicts."""

import jax
import jax.numpy as jnp
from torch2jax.runtime.reductions import clamp


def case_slots(x: jax.Array, y: jax.Array):
    parts = [x, y]
    parts[0] = -parts[0]
    parts[1] = parts[1].at[0].set(1)
    parts[1] += 2
    parts[-1] = parts[-1] * 2
    return parts


def case_slots_with_names(x: jax.Array, y: jax.Array):
    a, b = x, y
    parts = [a, b]
    parts[0] = parts[0] + 1
    a = parts[0]
    b = b.at[0].set(3)
    parts[1] = b
    return a, b, parts


def case_dict(x: jax.Array):
    d = {"a": x, "b": x * 2}
    d["a"] += 1
    d["b"] = d["b"].at[0].set(0)
    d["b"] = clamp(d["b"], min=0)
    return d["a"], d["b"]


def case_dict_and_names(x: jax.Array):
    a = x
    d = {"a": a}
    d["a"] += 1
    a = d["a"]
    e = d
    a = a.at[0].set(0)
    e["a"] = a
    return a, e["a"]


def case_loop_over_a_list():
    buffers = [jnp.ones(2) for _ in range(3)]
    for i, t in enumerate(buffers):
        t = t * 3
        buffers[i] = t
    buffers[0] = buffers[0].at[1].set(7)
    return buffers


def case_enumerated_list(x: jax.Array):
    buffers = [jnp.zeros((2, 3)) for _ in range(2)]
    for i, t in enumerate(buffers):
        t = t + (i + 1) * x
        buffers[i] = t
    return buffers


def case_zipped_lists(x: jax.Array):
    params = [jnp.ones((2, 3)) for _ in range(2)]
    grads = [x * (i + 1) for i in range(2)]
    for j, (p, g) in enumerate(zip(params, grads)):
        p = p - 0.5 * g
        params[j] = p
    return params


def case_dict_of_buffers():
    stats = {name: jnp.zeros(2) for name in ("a", "b")}
    for name, value in stats.items():
        value += len(name)
        stats[name] = value
    return stats["a"], stats["b"]


def case_appended(x: jax.Array):
    history = []
    h = x
    history.append(h)
    h += 1
    history[0] = h
    return history, h


def case_appended_in_a_loop(x: jax.Array):
    history = []
    h = x
    for _ in range(3):
        # torch2jax: T2J301 `h` is a view of `history`, and changing it in place changes both
        h += 1  # T2J301
        history.append(h)
    return history


def case_copies_appended_in_a_loop(x: jax.Array):
    history = []
    h = x
    for _ in range(3):
        h += 1
        history.append(h)
    return history


def case_tuple(x: jax.Array, y: jax.Array):
    pair = (x, y)
    pair_part = pair[0]
    pair_part = pair_part + 1
    pair = (pair_part, pair[1])
    return pair


def case_tuple_with_names(x: jax.Array, y: jax.Array):
    a, b = x, y
    pair = (a, b)
    a = a + 1
    pair = (a, pair[1])
    return pair, b


def case_nested(x: jax.Array):
    cache = {"k": [x, x * 2]}
    cache["k"][1] = jnp.zeros_like(cache["k"][1])
    return cache["k"][0], cache["k"][1]


def case_one_list_twice(x: jax.Array):
    a = [x]
    b = a
    b[0] += 1
    return a, b


def case_same_tensor_in_two_slots(x: jax.Array):
    a = x
    both = [a, a]
    both[0] = both[0] * 2
    both[1] = both[0]
    return both


def case_slot_under_a_name(x: jax.Array):
    parts = [x, x * 2]
    first = parts[0]
    first = first.at[0].set(1)
    parts[0] = first
    return parts


def case_views_in_a_list(x: jax.Array):
    y = x
    rows = [y[0], y[1]]
    rows[1] = jnp.zeros_like(rows[1])
    y = y.at[1].set(rows[1])
    return y


def case_state_of_an_optimizer(v: jax.Array):
    state = {"exp_avg": jnp.zeros(3), "step": 0}
    for _ in range(2):
        exp_avg = state["exp_avg"]
        exp_avg = exp_avg * 0.9 + 0.1 * v
        state["exp_avg"] = exp_avg
        state["step"] += 1
    return state["exp_avg"]


def case_given_list(grads: list[jax.Array] = ()):
    for g in grads:
        # torch2jax: T2J303 `g` is changed in place and may be shared with `a container, a field or a caller`
        g.mul_(2)  # T2J303
    return len(grads)


def case_loop_over_names(x: jax.Array):
    a, b = x, x * 2
    a = a * 2
    a = a.at[0].add(1)
    b = b * 2
    b = b.at[0].add(1)
    return a, b


def case_loop_over_a_named_list(x: jax.Array):
    a, b = x, x * 2
    both = [a, b]
    for i, t in enumerate(both):
        t = t * 2
        both[i] = t
    a = both[0]
    b = both[1]
    return a, b, both


def case_counted_slots(x: jax.Array):
    parts = [x, x * 2]
    for i in range(len(parts)):
        parts[i] += 1
        parts[i] = parts[i].at[0].set(3)
        part = parts[i]
        part = part * 2
        parts[i] = part
    return parts


def case_keys(x: jax.Array):
    a = x
    d = {"a": a, "b": x * 2}
    for k in d:
        d[k] = d[k] * 2
    a = d["a"]
    for k, v in d.items():
        v += 1
        d[k] = v
    a = d["a"]
    return a, d["b"]


# unchanged
def case_rebound_slots(n):
    counts = [0, 1]
    counts[0] += n
    counts[1] = counts[0]
    return counts


# unchanged
def case_replaced_slot(x):
    parts = [x, x]
    parts[0] = parts[0] + 1
    return parts, x


# unchanged
def case_dict_of_numbers(n):
    d = {"loss": 0.0}
    d["loss"] += n
    d.update(n=n)
    return d["loss"], d["n"]


# unchanged
def case_loop_that_only_reads(x):
    parts = [x, x + 1]
    total = 0
    for part in parts:
        total = total + part
    return total
