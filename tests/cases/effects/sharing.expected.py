"""Sharing in corners of the language: right, or refused."""

import jax
import jax.numpy as jnp
from torch2jax.runtime.indexing import chunk, index_fill
from torch2jax.runtime.reductions import max_along


def case_inner_writes(x: jax.Array):
    y = x
    z = y.reshape(-1)

    def inner():
        # torch2jax: T2J301 `y` is a view of `z`, and changing it in place changes both
        y = y.at[0].set(1)  # T2J301

    inner()
    return z, y


def case_inner_writes_view(x: jax.Array):
    y = x
    z = y.reshape(-1)

    def inner():
        # torch2jax: T2J301 `z` is a view of `y`, and changing it in place changes both
        z = z.at[0].set(1)  # T2J301

    inner()
    return z, y


def case_lambda(x: jax.Array):
    y = x
    # torch2jax: T2J302 `y.add_(1)` changes `y` in the middle of an expression
    f = lambda: y.add_(1)  # T2J302
    f()
    return y


def case_default_argument(x: jax.Array):
    y = x

    def inner(v=y):
        return v.sum()

    # torch2jax: T2J303 `y` is changed in place and may be shared with `a container, a field or a caller`
    y.add_(1)  # T2J303
    return inner()


def case_list_comprehension(x: jax.Array):
    y = x
    rows = [r for r in y]
    # torch2jax: T2J301 `y` is a view of `rows`, and changing it in place changes both
    y.add_(1)  # T2J301
    return rows


def case_list_comprehension_inplace(x: jax.Array):
    y = x
    # torch2jax: T2J302 `r.add_(1)` changes `r` in the middle of an expression
    rows = [r.add_(1) for r in y]  # T2J302
    return rows, y


def case_dict_comp_views(x: jax.Array):
    y = x
    d = {i: y[i] for i in range(2)}
    # torch2jax: T2J301 `d[0]` is a view of `y`, and changing it in place changes both
    d[0].zero_()  # T2J301
    return y


def case_zip_star(x: jax.Array, y: jax.Array):
    a, b = x, y
    pairs = list(zip(a, b))
    for p, q in pairs:
        # torch2jax: T2J301 `p` is a view of `a`, and changing it in place changes both
        p.add_(q)  # T2J301
    return a


def case_tuple_return_unpack(x: jax.Array):
    def both(v):
        return v, v

    y = x
    a, b = both(y)
    # torch2jax: T2J301 `a` is a view of `y`, and changing it in place changes both
    a.add_(1)  # T2J301
    return b, y


def case_stack(x: jax.Array):
    y = x
    z = jnp.stack([y, y])
    y = y + 1
    return z


def case_while(x: jax.Array):
    y = x
    z = y[0]
    i = 0
    while i < 3:
        # torch2jax: T2J301 `z` is a view of `y`, and changing it in place changes both
        z += 1  # T2J301
        if i == 1:
            y = y * 2
        i += 1
    return y, z


def case_try(x: jax.Array):
    y = x
    z = y[0]
    try:
        z += 1
        y = y.at[0].set(z)
    finally:
        y = y.at[1].set(0)
        z = y[0]
    return y, z


def case_with(x: jax.Array):
    y = x
    z = y.reshape(-1)
    z = z.at[0].set(3)
    y = z.reshape(y.shape)
    y = y.at[1].set(z[0])
    z = y.reshape(-1)
    z = jax.lax.stop_gradient(z)
    y = jax.lax.stop_gradient(y)
    return y, z


def case_conditional_rebind(x: jax.Array, flag: bool):
    y = x
    z = y
    if flag:
        z = y
    # torch2jax: T2J301 `z` is a view of `y`, and changing it in place changes both
    z += 1  # T2J301
    return y, z


def case_continue(x: jax.Array):
    y = x
    v = y[0]
    for i in range(3):
        if i == 1:
            v = y[1]
            continue
        # torch2jax: T2J301 `v` is a view of `y`, and changing it in place changes both
        v += 1  # T2J301
    return y, v


def case_swap_in_loop(x: jax.Array, y: jax.Array):
    a, b = x, y
    for i in range(3):
        # torch2jax: T2J301 `a` is a view of `b`, and changing it in place changes both
        a += 1  # T2J301
        a, b = b, a
    return a, b


def case_early(x: jax.Array, flag: bool):
    y = x
    z = y[0]
    if flag:
        z = jnp.zeros_like(z)
        y = y.at[0].set(z)
        return y
    z = jnp.full_like(z, 1)
    y = y.at[0].set(z)
    return y, z


def case_global_ternary(x: jax.Array, flag: bool):
    y = x
    # torch2jax: T2J301 `(y if flag else x.clone())` is a view of `y`, and changing it in place changes both
    (y if flag else x.clone()).add_(1)  # T2J301
    return y


def case_walrus(x: jax.Array):
    y = x
    if (z := y[0]).sum() > -100:
        z += 1
        y = y.at[0].set(z)
    return y


def case_star(x: jax.Array):
    y = x
    first, *rest = y
    # torch2jax: T2J301 `first` is a view of `y`, and changing it in place changes both
    first += 1  # T2J301
    # torch2jax: T2J301 `rest[0]` is a view of `y`, and changing it in place changes both
    rest[0].zero_()  # T2J301
    return y


def case_append_then(x: jax.Array):
    y = x
    out = []
    for i in range(2):
        out.append(y[i])
    # torch2jax: T2J301 `y` is a view of `out`, and changing it in place changes both
    y += 1  # T2J301
    return out


def case_append_view_loop(x: jax.Array):
    out = []
    y = x
    for i in range(2):
        y = y + 1
        out.append(y)
        # torch2jax: T2J301 `y` is a view of `out`, and changing it in place changes both
        y[0] = 0  # T2J301
    return out


def case_dict_set(x: jax.Array):
    d = {}
    y = x
    d["k"] = y
    y = y.at[0].set(5)
    d["k"] = y
    d["k"] = d["k"].at[1].set(7)
    y = d["k"]
    return d["k"], y


def case_nested_lists(x: jax.Array):
    y = x
    ll = [[y], [x]]
    y += 1
    ll[0][0] = y
    ll[0][0] = ll[0][0].at[0].set(9)
    y = ll[0][0]
    return ll, y


def case_list_mult(x: jax.Array):
    l = [x] * 2
    # torch2jax: T2J301 `l[0]` is a view of `l`, and changing it in place changes both
    l[0].add_(1)  # T2J301
    return l


def case_sorted_list(x: jax.Array):
    a, b = x, x * 2
    l = [a, b]
    l.reverse()
    # torch2jax: T2J301 `a` is a view of `l`, and changing it in place changes both
    a += 1  # T2J301
    return l


def case_extend(x: jax.Array):
    a = x
    l = []
    l.extend([a, a])
    # torch2jax: T2J301 `a` is a view of `l`, and changing it in place changes both
    a += 1  # T2J301
    return l


def case_pop(x: jax.Array):
    l = [x, x * 2]
    a = l.pop()
    a += 1
    return l, a


def case_max_out(x: jax.Array):
    y = x
    m = max_along(y, 1).values
    m += 1
    return y, m


def case_real(x: jax.Array):
    y = x
    # torch2jax: T2J301 `y.real` is a view of `y`, and changing it in place changes both
    y.real.add_(1)  # T2J301
    return y


def case_index_put(x: jax.Array):
    y = x
    z = y.reshape(-1)
    z = index_fill(z, 0, jnp.array([0, 1]), 7)
    y = z.reshape(y.shape)
    return y, z


def case_chunk_list(x: jax.Array):
    y = jnp.concatenate([x, x])
    parts = chunk(y, 2)
    # torch2jax: T2J301 `parts[0]` is a view of `y`, and changing it in place changes both
    parts[0].add_(1)  # T2J301
    return y


def case_chunk_loop(x: jax.Array):
    y = jnp.concatenate([x, x])
    for part in chunk(y, 2):
        # torch2jax: T2J301 `part` is a view of `y`, and changing it in place changes both
        part.add_(1)  # T2J301
    return y


def case_unbind_loop(x: jax.Array):
    y = x
    for i, row in enumerate(y):
        row = row + i
        y = y.at[i].set(row)
    return y


def case_rows_of_T(x: jax.Array):
    y = x
    y_t = y.T
    for i, col in enumerate(y_t):
        col = col + 1
        y_part = y.T
        y_part = y_part.at[i].set(col)
        y = y_part.T
    return y


def case_out_view(x: jax.Array):
    y = jnp.zeros((2, 2, 3))
    y = y.at[0].set(x * 2)
    z = y[1]
    z = (x + 1).astype(z.dtype)
    y = y.at[1].set(z)
    return y


def case_copy_self(x: jax.Array):
    y = x
    z = y[0]
    y = y.at[1].set(z)
    z = jnp.broadcast_to(y[1] + 1, z.shape).astype(z.dtype)
    y = y.at[0].set(z)
    return y, z


def case_variable_given_by_an_inner_function(x: jax.Array):
    y = x

    def given():
        return y

    h = given()

    def change():
        # torch2jax: T2J301 `h` is a view of `y`, and changing it in place changes both
        # torch2jax: T2J303 `h` is changed in place and may be shared with `a container, a field or a caller`
        h.add_(1)  # T2J301, T2J303

    change()
    return h, y


def case_new_tensor_made_by_an_inner_function(x: jax.Array):
    y = x

    def doubled():
        return y * 2

    h = doubled()

    def change():
        nonlocal h
        h = h + 1

    change()
    return h, y
