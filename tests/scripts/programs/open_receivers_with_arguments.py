"""Reductions, bounds and copies of what may be a tensor, a NumPy array, or an object of the program."""

import numpy as np
import torch


class Interval:
    def __init__(self, low, high):
        self.low, self.high = low, high

    def clip(self, low, high):
        return Interval(max(self.low, low), min(self.high, high))

    def clone(self):
        return Interval(self.low, self.high)

    def abs(self):
        return Interval(0, max(-self.low, self.high))

    def mean(self):
        return (self.low + self.high) / 2

    def __str__(self):
        return f"{self.low}..{self.high}"


def bounded(entry):
    return entry["value"].clip(-1, 2)


def positive(entry):
    return entry["value"].abs()


def copied(entry):
    return entry["value"].clone()


def along(entry):
    value = entry["value"]
    return [
        value.mean(dim=1).tolist(),
        value.sum(dim=0, keepdim=True).tolist(),
        value.argmax(dim=-1).tolist(),
        value.sum(dim=(0, 1)).item(),
        value.cumsum(dim=0).tolist(),
        value.flip(1).tolist(),
        value.flip(0, 1).tolist(),
        value.unique().tolist(),
        value.equal(value + 0),
        value.equal(value + 1),
        value[:, :1].expand(-1, 2).tolist(),
        value[:, 0].squeeze().tolist(),
        value[:, :1].squeeze(1).tolist(),
        value.squeeze(0).tolist(),
        value.flatten().tolist(),
    ]


def flat(entry):
    return entry["value"].flatten(start_dim=1).tolist()  # which no array of NumPy takes


def main():
    x = torch.tensor([[-3.0, 0.5, 1.0], [4.0, 1.0, -2.0]])
    for value in (x, Interval(-3, 4)):
        for act in (bounded, positive, copied):
            made = act({"value": value})
            print(made.tolist() if isinstance(made, torch.Tensor) else str(made))
    print(bounded({"value": np.array([-3.0, 3.0])}).tolist())
    print(along({"value": x}))
    print(flat({"value": x.view(1, 2, 3)}))


main()
