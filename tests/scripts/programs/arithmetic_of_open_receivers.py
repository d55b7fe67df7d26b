# also: nnx
"""Products, differences and new sizes of what may be a tensor, a picture, or a matrix of another library."""

import torch


class Picture:
    def __init__(self, size):
        self.size = size

    def resize(self, size, resample=None):
        return Picture((*size, resample))

    def __str__(self):
        return f"picture {self.size}"


class Diagonal:
    def __init__(self, values):
        self.values = values

    @property
    def T(self):
        return self

    def multiply(self, other):
        return Diagonal([a * other for a in self.values])

    def mul(self, other):
        return self.multiply(other)

    def sub(self, other):
        return Diagonal([a - other for a in self.values])

    def div(self, other):
        return Diagonal([a / other for a in self.values])

    def log(self):
        return "log"

    def byte(self):
        return "byte"

    def __str__(self):
        return f"diagonal {self.values}"


def smaller(entry, size):
    return entry["value"].resize((size, size))


def reshaped(entry, rows, columns):
    return entry["value"].resize(rows, columns)


def filtered(entry, size, how):
    return entry["value"].resize((size, size), how)


def by_name(entry, size):
    return entry["value"].resize(size, resample=2)


def of_size(entry, size):
    return entry["value"].resize(size)


def weighed(entry, by):
    return entry["value"].T.multiply(by)


def scaled(entry, by):
    return entry["value"].mul(by)


def shifted(entry, by):
    return entry["value"].sub(by)


def halved(entry):
    return entry["value"].div(2)


def logged(entry):
    return entry["value"].log()


def in_bytes(entry):
    normalized = entry["value"]
    return normalized.byte()


def told(x):
    return x.tolist() if torch.is_tensor(x) else str(x)


def main():
    picture, matrix = {"value": Picture((4, 4))}, {"value": Diagonal([1.0, 3.0])}
    tensor = {"value": torch.tensor([[1.0, 2.0], [4.0, 8.0]])}
    print(smaller(picture, 2), filtered(picture, 3, "box"), by_name(picture, (1, 2)))
    print(of_size(picture, picture["value"].size))
    print(told(reshaped(tensor, 1, 4)))
    for entry in (matrix, tensor):
        print(told(weighed(entry, 3)), told(scaled(entry, 2)), told(shifted(entry, 1)), told(halved(entry)))
        print(told(in_bytes(entry)))
    print(logged(matrix), [round(x, 4) for x in logged(tensor).flatten().tolist()])


main()
