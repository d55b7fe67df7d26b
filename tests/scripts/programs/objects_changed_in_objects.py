# also: nnx
"""Tensors of objects that other objects hold are changed in place."""

import torch


class Filter:
    def __init__(self, step=1.0):
        self.motion = torch.eye(4)
        self.motion[0, 2] = self.motion[1, 3] = step
        self.state = torch.zeros(4)
        self.spread = torch.eye(4) * 10

    def predict(self):
        self.state = self.motion @ self.state
        self.spread = self.motion @ self.spread @ self.motion.T
        return self.state[:2]


class Track:
    def __init__(self, box, number):
        self.filter = Filter()
        self.filter.state[:2] = box[:2]
        self.filter.spread[2:, 2:] *= 100.0
        self.filter.state[2:].fill_(number)
        self.seen = []

    def step(self, shift):
        self.seen.append(self.filter.predict().sum().item())
        self.filter.state.add_(shift)


corner = torch.tensor([1.0, 2.0, 3.0])
tracks = [Track(corner, number) for number in range(2)]
for k in range(3):
    for track in tracks:
        track.step(0.5 * k)
print([round(track.filter.state.sum().item(), 4) for track in tracks], corner.tolist())
print([round(track.filter.spread.trace().item(), 3) for track in tracks])
print([track.seen for track in tracks])


class Scaled:
    def __init__(self, value, factor):
        self.value = value * factor
        self.factor = factor


def scaled_twice(value):
    given = value * 3
    made = Scaled(given, given.sum())
    given += 1
    return made, given


made, given = scaled_twice(torch.ones(3))
print(made.value.sum().item(), made.factor.item(), given.sum().item())
corner.mul_(2)
print([round(track.filter.state.sum().item(), 4) for track in tracks], corner.tolist())
