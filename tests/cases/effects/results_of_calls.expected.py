"""What functions of the program give: their arguments, tensors of their own, or one of both; only the arguments have others who hold them."""

import jax
import jax.numpy as jnp

TABLE = jnp.arange(3.0)


def choose(x, given=None):
    h = x * 2
    if given is None:
        given = h + 1
    return given, h


def first(items):
    return items[0]


def table():
    return TABLE


def table_or(x, other=TABLE):
    return x * 2 if x.sum() > 100 else other


class Meter:
    def __init__(self):
        self.sum = 0.0

    def update(self, x):
        self.sum = self.sum + x.sum().item()


class Keeper:
    def __init__(self):
        self.last = None

    def update(self, x):
        self.last = x


def case_left_to_a_default(x: jax.Array):
    y = x * 1
    for _ in range(3):
        given, h = choose(y)
        given += 1
        h = h.at[0].set(given[1])
        y = y + given + h
    return y


def case_given(x: jax.Array):
    y = x * 1
    given, h = choose(x, y)
    # torch2jax: T2J301 `given` is a view of `y`, and changing it in place changes both
    given += 1  # T2J301
    return y, h


def case_given_and_not_read_again(x: jax.Array):
    given, h = choose(x, x * 3)
    given += 1
    h += 2
    return given, h


def case_of_a_list(x: jax.Array):
    y = x * 1
    z = first([y])
    # torch2jax: T2J301 `z` is a view of `y`, and changing it in place changes both
    z += 1  # T2J301
    return y


def case_of_the_module():
    z = table()
    # torch2jax: T2J303 `z` is changed in place and may be shared with `a container, a field or a caller`
    z += 1  # T2J303
    return TABLE


def case_a_default_that_is_a_tensor(x: jax.Array):
    z = table_or(x)
    # torch2jax: T2J303 `z` is changed in place and may be shared with `a container, a field or a caller`
    z += 1  # T2J303
    return TABLE


def case_summed(x: jax.Array):
    meter, y = Meter(), x * 1
    meter.update(y)
    y += 1
    return y, jnp.array(meter.sum)


def case_kept(x: jax.Array):
    keeper, y = Keeper(), x * 1
    keeper.update(y)
    # torch2jax: T2J303 `y` is changed in place and may be shared with `a container, a field or a caller`
    y += 1  # T2J303
    return keeper.last


class Cache:
    def __init__(self):
        self.rows = jnp.zeros((2, 3))

    def add(self, x):
        self.rows = self.rows.astype(x.dtype)
        self.rows = self.rows.at[:, 1:].set(x[:, 1:])
        return x.sum()


def case_moved_to_the_kind_of_an_argument(x: jax.Array):
    cache, y = Cache(), x * 1
    total = cache.add(y)
    y = y.at[0, 0].set(7)
    return cache.rows, y, total
