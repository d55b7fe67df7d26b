import torch


def double_(t):
    t.mul_(2)


class Bank:
    def __init__(self):
        self.slots = [torch.arange(4.0), torch.ones(4)]
        self.table = {"a": torch.ones(4), "b": torch.zeros(4)}
        self.x = torch.zeros(4)

    def __getitem__(self, i):
        return self.slots[i]

    def slot(self, i):
        return self.slots[i]

    def given_to_a_function(self):
        first = self.slots[0]
        double_(first)  # T2J303

    def given_by_name(self):
        double_(t=self.slot(1))  # T2J303

    def in_an_assignment(self):
        first = self.slots[0]
        new = first.mul_(2)  # T2J303
        return new + 1

    def other_data(self):
        first = self.table["a"]
        first.data = first * 2  # T2J303

    def got_from_a_dict(self):
        first = self.table.get("a")
        first.mul_(2)  # T2J303

    def data_of_the_largest(self):
        largest = max(self.table.values(), key=lambda t: t.sum())
        largest.data = largest * 2  # T2J303

    def data_of_a_copy(self):
        first = self.slots[0].clone()
        first.data = first * 2
        return first


class Holder:
    def __init__(self):
        self.bank = Bank()

    def seen_under_another_name(self):
        before = self.bank.x
        self.bank.x.add_(1)  # T2J301
        return before

    def a_copy(self):
        before = self.bank.x.clone()
        self.bank.x.add_(1)
        return before

    def one_or_another(self, flag):
        t = self.bank[0] if flag else torch.zeros(4)
        t.mul_(2)  # T2J303
        return t


class Scale:
    def __init__(self):
        self._value = torch.ones(4)

    @property
    def value(self):
        return self._value

    def double(self):
        t = self.value
        for _ in range(2):
            t.mul_(2)  # T2J303


class Counts:
    def __init__(self):
        self.first = torch.zeros(3)
        self.second = torch.zeros(3)
        self.third = torch.zeros(3)

    def by_a_function(self):
        double_(self.first)

    def by_a_variable(self):
        t = self.second
        t.add_(1)

    def by_torch(self):
        torch.nn.init.ones_(self.third)


counts = Counts()
first, second, third = counts.first.clone(), counts.second.clone(), counts.third.clone()
counts.by_a_function()
counts.by_a_variable()
counts.by_torch()
print(first, second, third)
kept_first = counts.first
counts.by_a_function()  # T2J303
kept_second = counts.second
counts.by_a_variable()  # T2J303
kept_third = counts.third
counts.by_torch()  # T2J303
print(kept_first, kept_second, kept_third)
