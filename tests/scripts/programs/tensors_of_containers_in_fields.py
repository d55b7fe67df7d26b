# also: nnx, linen
import torch
from torch import nn


class WeightAverage:
    def __init__(self, tensors, decay):
        self.decay = decay
        self.shadow = [t.clone().detach() for t in tensors]

    @torch.no_grad()
    def update(self, tensors):
        for s, t in zip(self.shadow, tensors):
            s.sub_((1.0 - self.decay) * (s - t.detach()))

    def scale(self, factor):
        for s in self.shadow:
            if s.dim() < 2:
                continue
            s *= factor

    def shift(self):
        for i, s in enumerate(self.shadow):
            s.add_(i).clamp_(max=3.0)

    def norm(self):
        return sum(s.pow(2).sum().item() for s in self.shadow)


class Statistics:
    def __init__(self, names):
        self.sums = {name: torch.zeros(3) for name in names}
        self.counts = {}
        for name in names:
            self.counts[name] = torch.zeros(1)

    def add(self, rows):
        for name, value in self.sums.items():
            value += rows[name]
        for count in self.counts.values():
            count.add_(1)

    def halve(self):
        for value, count in zip(self.sums.values(), self.counts.values()):
            value.mul_(0.5)
            print(value.tolist(), count.item())


class Scratch:
    def __init__(self):
        self.buffers = [torch.ones(2), torch.ones(3), torch.ones(4)]

    def fill(self):
        for b in reversed(self.buffers):
            nn.init.constant_(b, b.numel())

    def clear_some(self):
        for b in self.buffers[1:]:
            b.zero_()

    def double(self):
        for b in self.buffers:
            torch.add(b, b, out=b)
        for b in self.buffers:
            b.data = b.data + 1


tensors = [torch.arange(6.0).view(2, 3), torch.ones(4)]
average = WeightAverage(tensors, 0.5)
for step in range(3):
    average.update([t * (step + 2) for t in tensors])
    average.scale(0.9)
    average.shift()
    print(step, average.norm(), tensors[0].sum().item())

statistics = Statistics(["a", "b"])
for step in range(2):
    statistics.add({"a": torch.ones(3) * step, "b": torch.arange(3.0)})
statistics.halve()
print({name: value.tolist() for name, value in statistics.sums.items()})

scratch = Scratch()
scratch.fill()
print([b.tolist() for b in scratch.buffers])
scratch.clear_some()
scratch.double()
print([b.tolist() for b in scratch.buffers])
