import torch


def adder(total):
    def add(v):
        total.add_(v)  # T2J303

    return add


base = torch.zeros(3)
add = adder(base)
add(2)
print(base)


def counter(total):
    def add(v):
        total.add_(v)
        return total

    return add


count = counter(torch.zeros(3))
print(count(1))


def doubled(x):
    def double():
        x.mul_(2)

    double()
    double()


y = torch.ones(2)
doubled(y)
print(y)


def running(xs, acc=torch.zeros(2)):
    for x in xs:
        acc += x  # T2J303
    return acc


print(running([torch.ones(2)]), running([torch.ones(2)]))


def shifted(x, shift=torch.ones(2)):
    shift = shift * 2
    shift += x
    return shift


print(shifted(torch.ones(2)))


class Sums:
    total = torch.zeros(2)
    last = torch.zeros(2)

    def __init__(self):
        self.own = torch.zeros(2)
        self.last = torch.ones(2)

    def add(self, v):
        self.total += v  # T2J303
        self.own += v
        self.last += v


one, other = Sums(), Sums()
one.add(1)
print(one.own, one.last, other.total)
