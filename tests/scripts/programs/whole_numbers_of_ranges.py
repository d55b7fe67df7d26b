"""Ranges of numbers that are made whole: torch's own to the last bit."""

import torch


class Schedule:
    def __init__(self, steps):
        self.times = torch.linspace(0, 1, steps) * 999

    def whole(self):
        return self.times.long()


def sampling_times(total, steps):
    times = torch.linspace(-1, total - 1, steps=steps + 1)
    times = list(reversed(times.int().tolist()))
    return list(zip(times[:-1], times[1:]))


def halves(start, end, steps):
    return [int(value * 2) for value in torch.linspace(start, end, steps)]


total = 0
for steps in (2, 5, 16, 51, 64, 101):
    for start, end in ((0, 999), (-2, 7), (1, 49), (10, 33.3), (0.5, 99.5)):
        numbers = torch.linspace(start, end, steps)
        total += int((numbers.long() * torch.arange(steps)).sum()) + sum(torch.floor(numbers).tolist())
    print(steps, total, sum(a * 3 - b for a, b in sampling_times(1000, steps)), sum(halves(-2, 7, steps)))
    print(Schedule(steps).whole().sum().item())
print(torch.linspace(3, 11, 7).to(torch.int64).tolist(), torch.linspace(5.0, 6.0, 1).int().tolist())
