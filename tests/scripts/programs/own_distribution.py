"""A distribution that a program writes itself, with constraints and properties that are computed once."""

import torch
from torch.distributions import Distribution, constraints
from torch.distributions.utils import broadcast_all, lazy_property


class Gumbelish(Distribution):
    arg_constraints = {"loc": constraints.real, "scale": constraints.positive}
    support = constraints.real
    has_rsample = True

    def __init__(self, loc, scale, validate_args=None):
        self.loc, self.scale = broadcast_all(loc, scale)
        super().__init__(self.loc.size(), validate_args=validate_args)

    @lazy_property
    def precision(self):
        return 1.0 / self.scale**2

    @property
    def mean(self):
        return self.loc

    @property
    def variance(self):
        return self.scale**2

    def rsample(self, sample_shape=torch.Size()):
        shape = self._extended_shape(sample_shape)
        eps = torch.randn(shape)
        return self.loc + eps * self.scale

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        return -0.5 * (value - self.loc) ** 2 * self.precision - self.scale.log()

    def entropy(self):
        return self.scale.log() + 1.5


d = Gumbelish(torch.tensor([0.5, 1.0]), torch.tensor(2.0))
print(d.log_prob(torch.tensor([1.0, 2.0])).sum().item())
print(d.mean.sum().item(), d.stddev.sum().item(), d.entropy().sum().item())
print(tuple(d.rsample((4,)).shape), tuple(d.batch_shape), tuple(d.event_shape))
