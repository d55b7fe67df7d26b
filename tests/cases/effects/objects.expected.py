"""Objects that are no modules and hold tensors in their attributes, which are changed under that name or another."""

import jax
import jax.numpy as jnp


class Box:
    """Holds what it is given."""

    def total(self):
        return self.t.sum()


def case_field_of_view(x: jax.Array):
    box = Box()
    v = x[0]
    box.t = v
    box.t += 1
    v = box.t
    x = x.at[0].set(box.t)
    return x, v, box.t


def case_changed_by_its_name(x: jax.Array):
    box = Box()
    box.t = x
    x = x * 2
    box.t = x
    return box.total()


def case_store_in_field(x: jax.Array):
    box = Box()
    box.t = x
    box.t = box.t.at[0].set(5.0)
    x = box.t
    return x


def case_own_tensor():
    box = Box()
    box.t = jnp.zeros(3)
    box.t += 1
    box.t = box.t.at[0].set(3)
    return box.t


def case_two_boxes(x: jax.Array):
    first, second = Box(), Box()
    first.t = x + 1
    second.t = x + 2
    first.t = first.t + second.t
    return first.total(), second.total()


def case_another_box(x: jax.Array):
    box = Box()
    box.t = x
    box = Box()
    box.t = x + 1
    box.t = jnp.zeros_like(box.t)
    return x


def case_other_name_of_box(x: jax.Array):
    box = Box()
    box.t = x
    same = box
    # torch2jax: T2J301 `same.t` is a view of `x`, and changing it in place changes both
    same.t += 1  # T2J301
    return x


def case_handed_on(x: jax.Array):
    box = Box()
    box.t = x
    kept = [box]
    # torch2jax: T2J301 `kept[0].t` is a view of `x`, and changing it in place changes both
    kept[0].t += 1  # T2J301
    return x


def case_on_one_way(x: jax.Array, flag: bool):
    y = x
    box = Box()
    box.t = x + 1
    if flag:
        box.t = y
    # torch2jax: T2J301 `y` is a view of `box.t`, and changing it in place changes both
    y += 1  # T2J301
    return box.total()


def case_argument(x: jax.Array):
    box = Box()
    box.t = x
    # torch2jax: T2J303 `box.t` is changed in place and may be shared with `a container, a field or a caller`
    box.t += 1  # T2J303
    return box.t


def case_unseen_box(x: jax.Array):
    return given_box(Box(), x)


def given_box(box: Box, x: jax.Array):
    y = x
    box.t = y
    box.t = box.t * 2
    y = box.t
    return y
