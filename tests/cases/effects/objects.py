"""Objects that are no modules and hold tensors in their attributes, which are changed under that name or another."""

import torch
from torch import Tensor


class Box:
    """Holds what it is given."""

    def total(self):
        return self.t.sum()


def case_field_of_view(x: Tensor):
    x = x.clone()
    box = Box()
    v = x[0]
    box.t = v
    box.t += 1
    return x, v, box.t


def case_changed_by_its_name(x: Tensor):
    x = x.clone()
    box = Box()
    box.t = x
    x.mul_(2)
    return box.total()


def case_store_in_field(x: Tensor):
    x = x.clone()
    box = Box()
    box.t = x
    box.t[0] = 5.0
    return x


def case_own_tensor():
    box = Box()
    box.t = torch.zeros(3)
    box.t += 1
    box.t[0] = 3
    return box.t


def case_two_boxes(x: Tensor):
    first, second = Box(), Box()
    first.t = x + 1
    second.t = x + 2
    first.t.add_(second.t)
    return first.total(), second.total()


def case_another_box(x: Tensor):
    x = x.clone()
    box = Box()
    box.t = x
    box = Box()
    box.t = x + 1
    box.t.zero_()
    return x


def case_other_name_of_box(x: Tensor):
    x = x.clone()
    box = Box()
    box.t = x
    same = box
    same.t += 1  # T2J301
    return x


def case_handed_on(x: Tensor):
    x = x.clone()
    box = Box()
    box.t = x
    kept = [box]
    kept[0].t += 1  # T2J301
    return x


def case_on_one_way(x: Tensor, flag: bool):
    y = x.clone()
    box = Box()
    box.t = x + 1
    if flag:
        box.t = y
    y += 1  # T2J301
    return box.total()


def case_argument(x: Tensor):
    box = Box()
    box.t = x
    box.t += 1  # T2J303
    return box.t


def case_unseen_box(x: Tensor):
    return given_box(Box(), x)


def given_box(box: Box, x: Tensor):
    y = x.clone()
    box.t = y
    box.t.mul_(2)
    return y
