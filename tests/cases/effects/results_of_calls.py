"""What functions of the program give: their arguments, tensors of their own, or one of both; only the arguments have others who hold them."""

import torch

TABLE = torch.arange(3.0)


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


def case_left_to_a_default(x: torch.Tensor):
    y = x * 1
    for _ in range(3):
        given, h = choose(y)
        given += 1
        h[0] = given[1]
        y = y + given + h
    return y


def case_given(x: torch.Tensor):
    y = x * 1
    given, h = choose(x, y)
    given += 1  # T2J301
    return y, h


def case_given_and_not_read_again(x: torch.Tensor):
    given, h = choose(x, x * 3)
    given += 1
    h += 2
    return given, h


def case_of_a_list(x: torch.Tensor):
    y = x * 1
    z = first([y])
    z += 1  # T2J301
    return y


def case_of_the_module():
    z = table()
    z += 1  # T2J303
    return TABLE


def case_a_default_that_is_a_tensor(x: torch.Tensor):
    z = table_or(x)
    z += 1  # T2J303
    return TABLE


def case_summed(x: torch.Tensor):
    meter, y = Meter(), x * 1
    meter.update(y)
    y += 1
    return y, torch.tensor(meter.sum)


def case_kept(x: torch.Tensor):
    keeper, y = Keeper(), x * 1
    keeper.update(y)
    y += 1  # T2J303
    return keeper.last


class Cache:
    def __init__(self):
        self.rows = torch.zeros(2, 3)

    def add(self, x):
        self.rows = self.rows.to(x)
        self.rows[:, 1:] = x[:, 1:]
        return x.sum()


def case_moved_to_the_kind_of_an_argument(x: torch.Tensor):
    cache, y = Cache(), x * 1
    total = cache.add(y)
    y[0, 0] = 7
    return cache.rows, y, total
