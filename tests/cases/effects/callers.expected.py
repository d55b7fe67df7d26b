"""Calls, in all places, of functions that change their arguments."""

import jax
import jax.numpy as jnp


def _bump(t: jax.Array, k: float = 1.0) -> tuple[jax.Array, jax.Array]:
    t += k
    return t, t.sum()


def _clear(t: jax.Array):
    return jnp.zeros_like(t)


def _scale_(t: jax.Array, by: float) -> jax.Array:
    return t * by


def case_returned(x: jax.Array):
    y = x
    y, result = _bump(y)
    return result, y


def case_operand(x: jax.Array):
    y = x
    y, result = _bump(y)
    return result + y.mean()


def case_operand_behind_others(x: jax.Array):
    y = x
    value = y.mean()
    y, result = _bump(y)
    return value + result * 2 + y.max()


def case_same_object_on_the_left(x: jax.Array):
    y = x
    y, result = _bump(y)
    return y + result


def case_two_calls(x: jax.Array):
    y = x
    y, result = _bump(y)
    y, result_1 = _bump(y, 3.0)
    return result - 2 * result_1, y


def case_nested(x: jax.Array):
    y = x
    y = _scale_(y, 2.0)
    y, s = _bump(y)
    return s, y


def case_argument_of_another_call(x: jax.Array):
    y = x
    y, result = _bump(y)
    value = y.sum()
    y, result_1 = _bump(y)
    z = jnp.stack([result, value, result_1])
    return z, y


def case_condition(x: jax.Array):
    y = x
    y, result = _bump(y)
    if float(result) > 0:
        y = y * 2
    return y


def case_augmented(x: jax.Array):
    y = x
    total = jnp.zeros(())
    y, result = _bump(y)
    total += result
    y, result_1 = _bump(y)
    total += result_1
    return total, y


def case_stored(x: jax.Array):
    y = x
    results = jnp.zeros(2)
    y, result = _bump(y)
    results = results.at[0].set(result)
    y, result_1 = _bump(y)
    results = results.at[1].set(result_1)
    return results, y


def case_attribute_of_result(x: jax.Array):
    y = x
    y = _scale_(y, 2.0)
    n = y.shape[0]
    return y, n


def case_dictionary(x: jax.Array):
    d = {"a": x, "b": x + 1}
    d["a"] = _clear(d["a"])
    d["b"], s = _bump(d["b"])
    return d["a"], d["b"], s


def case_list_item(x: jax.Array):
    items = [x * 1, x * 2]
    items[0], s = _bump(items[0])
    items[1] = _clear(items[1])
    return items, s


def case_none_of_it_read(x: jax.Array):
    _, s = _bump(x * 2)
    return s + _bump(x + 1)[1]


def case_element_of_temporary(x: jax.Array):
    return _bump(x[0])[1]


def case_in_a_branch(x: jax.Array, flag: bool):
    y = x
    if flag:
        y = _clear(y)
    else:
        y = _scale_(y, 2.0)
    return y


def case_f_string(x: jax.Array):
    y = x
    y, result = _bump(y)
    text = f"{float(result):.1f}"
    return float(text), y


def case_assertion(x: jax.Array):
    y = x
    y, result = _bump(y)
    assert float(result) > -100.0
    return y


def case_star(x: jax.Array):
    y = x
    arguments = (y, 2.0)
    # torch2jax: T2J300 `_bump` changes its argument `t` in place, and its callers would not see the change
    _, s = _bump(*arguments)  # T2J300
    return y, s


def case_short_circuit(x: jax.Array, flag: bool):
    y = x
    # torch2jax: T2J302 `_bump(y)` changes `y` in the middle of an expression
    seen = flag and float(_bump(y)[1]) > 0  # T2J302
    return y, seen


def case_conditional(x: jax.Array, flag: bool):
    y = x
    # torch2jax: T2J302 `_bump(y)` changes `y` in the middle of an expression
    s = _bump(y)[1] if flag else y.sum()  # T2J302
    return y, s


def case_comprehension(x: jax.Array):
    y = x
    # torch2jax: T2J302 `_bump(y)` changes `y` in the middle of an expression
    sums = [_bump(y)[1] for _ in range(3)]  # T2J302
    return y, sums


def case_while(x: jax.Array):
    y = x
    # torch2jax: T2J302 `_bump(y)` changes `y` in the middle of an expression
    while float(_bump(y)[1]) < 20:  # T2J302
        pass
    return y


def case_lambda(x: jax.Array):
    y = x
    # torch2jax: T2J302 `_bump(y)` changes `y` in the middle of an expression
    f = lambda: _bump(y)[1]  # T2J302
    return f(), y


def case_same_tensor_twice(x: jax.Array):
    y = x
    # torch2jax: T2J303 `y` is changed in place and may be shared with `y`
    y = _add(y, y)  # T2J303
    return y


def _add(a: jax.Array, b: jax.Array):
    a += b
    a += b
    return a


def case_added_once(x: jax.Array, y: jax.Array):
    a = x
    a = _add(a, y)
    return a


def case_view_of_read_tensor(x: jax.Array):
    y = x
    part = y.reshape(-1)
    part, s = _bump(part, 2.0)
    y = part.reshape(y.shape)
    return y, s


def case_transposed(x: jax.Array):
    y = x
    part = y.T[1]
    part = _clear(part)
    y_part = y.T
    y_part = y_part.at[1].set(part)
    y = y_part.T
    return y


def case_name_of_a_view(x: jax.Array):
    y = x
    row = y[0]
    row, s = _bump(row)
    y = y.at[0].set(row)
    return y, row, s


def case_views_of_the_argument(x: jax.Array):
    y = x
    flat = y.reshape(-1)
    y = _clear(y)
    flat = y.reshape(-1)
    flat, s = _bump(flat, 3.0)
    y = flat.reshape(y.shape)
    return y, flat, s


def case_two_names(x: jax.Array):
    y = x
    z = y
    y = _scale_(y, 2.0)
    z = y
    return y, z


def case_rows_of_a_list(x: jax.Array):
    y = x
    rows = list(y)
    changed, _ = _bump(rows[0])
    # torch2jax: T2J301 `rows[0]` is a view of `y`, and changing it in place changes both
    rows[0].copy_(changed)
    return y, rows[0]


def case_element_held_twice(x: jax.Array):
    y = x
    d = {"y": y}
    d["y"], _ = _bump(d["y"])
    y = d["y"]
    return d["y"], y


def case_each_of_a_list(x: jax.Array):
    items = [x + 1, x + 2]
    for i, item in enumerate(items):
        item, _ = _bump(item)
        items[i] = item
    return items


def _through_a_view(t: jax.Array):
    flat = t.reshape(-1)
    flat = flat.at[0].set(9.0)
    t = flat.reshape(t.shape)
    return t, flat.sum()


def case_changed_through_a_view(x: jax.Array):
    y = x
    y, s = _through_a_view(y)
    return y, s


def _step(p: jax.Array, g: jax.Array, lr: float):
    return p - lr * g


def _momentum_(m: jax.Array, g: jax.Array, decay: float = 0.9) -> jax.Array:
    return m * decay + g


def case_optimizer_by_hand(x: jax.Array, y: jax.Array):
    params = [x + 0, y + 0]
    momenta = [jnp.zeros_like(x), jnp.zeros_like(y)]
    for _ in range(2):
        for i, (p, m) in enumerate(zip(params, momenta)):
            m = _momentum_(m, p * 2)
            momenta[i] = m
            g = m
            p = _step(p, g, 0.1)
            params[i] = p
    return params, momenta


def case_state_in_a_dictionary(x: jax.Array):
    state = {"mean": jnp.zeros(3), "square": jnp.zeros(3)}
    for row in x:
        state["mean"] = _momentum_(state["mean"], row)
        state["square"] = _momentum_(state["square"], row * row, decay=0.99)
    return state["mean"], state["square"]


def case_under_no_grad(x: jax.Array):
    y = x
    y = y.at[0].set(_clear(y[0]))
    y, s = _bump(y)
    y = jax.lax.stop_gradient(y)
    s = jax.lax.stop_gradient(s)
    return y, s


def case_walrus(x: jax.Array):
    y = x
    y, result = _bump(y)
    if (s := result) > 0:
        y = y + s
    return y


def case_generator(x: jax.Array):
    y = x

    def sums():
        nonlocal y
        for _ in range(2):
            changed, result = _bump(y)
            y = jnp.broadcast_to(changed, y.shape).astype(y.dtype)
            yield result

    return list(sums()), y
