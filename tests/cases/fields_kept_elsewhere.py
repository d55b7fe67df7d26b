"""Tensors of plain objects that something else holds while they are changed in place."""

import torch


class Sum:
    def __init__(self):
        self.total = torch.zeros(2)
        self.last = torch.zeros(2)
        self.log = []

    def add(self, x):
        self.total += x
        self.last = self.total * 2
        return self.total

    def note(self):
        self.log.append(self.total)  # T2J303
        self.log.append(self.last)
        self.log.append(self.total.clone())

    def state(self):
        return {"total": self.total}

    def rows(self):
        for row in self.total:
            yield row


class Best:
    def __init__(self, of):
        self.of = of
        self.value = of.total  # T2J303

    def step(self):
        self.of.add(1)
        if self.of.total.sum() < 5:
            self.value = self.of.total  # T2J303
        self.size = self.of.total.sum()


class Kept:
    def __init__(self, value):
        self.value = value


def listed():
    item, log = Sum(), []
    for k in range(3):
        log.append(item.add(k))  # T2J303
    return [x.sum() for x in log]


def listed_behind():
    item, log = Sum(), []
    for k in range(3):
        item.add(k)
    log.append(item.total)
    return log


def comprehended():
    item = Sum()
    return [item.add(k) for k in range(3)]  # T2J303


def shown_in_dict():
    item = Sum()
    saved = item.state()
    item.add(1)  # T2J303
    return saved["total"]


def shown_by_function(item):
    return item.total, 1


def unpacked():
    item = Sum()
    x, n = shown_by_function(item)
    item.add(n)  # T2J303
    return x


def read_in_time():
    item = Sum()
    for k in range(3):
        saved = item.state()
        print(saved["total"])
        item.add(k)


def kept_by_object():
    item = Sum()
    kept = Kept(item.add(1))
    item.add(1)  # T2J303
    return kept.value


def rows_while_changed():
    item = Sum()
    found = 0
    for row in item.rows():
        item.add(1)  # T2J303
        found = found + row
    return found


def best():
    found = Best(Sum())
    found.step()
    return found
