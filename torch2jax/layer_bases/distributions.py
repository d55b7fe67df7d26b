"""Distributions and transforms as bases of a program's classes; read as text, and translated together with the program.

Fields are those that torch's classes have, and what the methods compute is what these fields say when they are called.
"""

import torch


class DistributionBase:
    """torch.distributions.Distribution as a base class."""

    has_rsample = False
    has_enumerate_support = False
    _validate_args = False

    def __init__(self, batch_shape=(), event_shape=(), validate_args=None):
        self._batch_shape = tuple(batch_shape)
        self._event_shape = tuple(event_shape)

    @property
    def batch_shape(self):
        return self._batch_shape

    @property
    def event_shape(self):
        return self._event_shape

    @property
    def stddev(self):
        return self.variance.sqrt()

    def _extended_shape(self, sample_shape=()):
        return (*sample_shape, *self._batch_shape, *self._event_shape)

    def _validate_sample(self, value):
        """What torch checks of values has no counterpart."""

    def _law(self):
        """The distribution of torch with these parameters."""
        raise NotImplementedError

    def kl_divergence(self, other):
        """What torch.distributions.kl_divergence says of two of a family."""
        theirs = other._law() if isinstance(other, DistributionBase) else other
        return torch.distributions.kl_divergence(self._law(), theirs)

    def sample(self, sample_shape=()):
        with torch.no_grad():
            return self.rsample(sample_shape)

    def rsample(self, sample_shape=()):
        raise NotImplementedError

    def log_prob(self, value):
        raise NotImplementedError

    def entropy(self):
        raise NotImplementedError

    def perplexity(self):
        return torch.exp(self.entropy())


class NormalBase(DistributionBase):
    """torch.distributions.Normal as a base class."""

    has_rsample = True

    def __init__(self, loc, scale, validate_args=None):
        law = torch.distributions.Normal(loc, scale)
        self.loc = law.loc
        self.scale = law.scale
        super().__init__(law.batch_shape)

    @property
    def mean(self):
        return self.loc

    @property
    def mode(self):
        return self.loc

    @property
    def stddev(self):
        return self.scale

    @property
    def variance(self):
        return self.stddev.pow(2)

    def _law(self):
        return torch.distributions.Normal(self.loc, self.scale)

    def sample(self, sample_shape=()):
        return self._law().sample(sample_shape)

    def rsample(self, sample_shape=()):
        return self._law().rsample(sample_shape)

    def log_prob(self, value):
        return self._law().log_prob(value)

    def cdf(self, value):
        return self._law().cdf(value)

    def icdf(self, value):
        return self._law().icdf(value)

    def entropy(self):
        return self._law().entropy()


class CategoricalBase(DistributionBase):
    """torch.distributions.Categorical as a base class."""

    has_enumerate_support = True

    def __init__(self, probs=None, logits=None, validate_args=None):
        law = torch.distributions.Categorical(probs, logits)
        self._probs = law.probs
        self._logits = law.logits
        super().__init__(law.batch_shape)

    @property
    def probs(self):
        return self._probs

    @probs.setter
    def probs(self, value):
        self._probs = value

    @property
    def logits(self):
        return self._logits

    @logits.setter
    def logits(self, value):
        self._logits = value

    @property
    def mode(self):
        return self.probs.argmax(dim=-1)

    @property
    def param_shape(self):
        return self.logits.shape

    def _law(self):
        return torch.distributions.Categorical(logits=self.logits)

    def sample(self, sample_shape=()):
        return self._law().sample(sample_shape)

    def log_prob(self, value):
        return self._law().log_prob(value)

    def entropy(self):
        return self._law().entropy()


class BernoulliBase(DistributionBase):
    """torch.distributions.Bernoulli as a base class."""

    has_enumerate_support = True

    def __init__(self, probs=None, logits=None, validate_args=None):
        law = torch.distributions.Bernoulli(probs, logits)
        self._probs = law.probs
        self._logits = law.logits
        super().__init__(law.batch_shape)

    @property
    def probs(self):
        return self._probs

    @probs.setter
    def probs(self, value):
        self._probs = value

    @property
    def logits(self):
        return self._logits

    @logits.setter
    def logits(self, value):
        self._logits = value

    @property
    def mean(self):
        return self.probs

    @property
    def mode(self):
        return self._law().mode

    @property
    def variance(self):
        return self.probs * (1 - self.probs)

    @property
    def param_shape(self):
        return self.logits.shape

    def _law(self):
        return torch.distributions.Bernoulli(logits=self.logits)

    def sample(self, sample_shape=()):
        return self._law().sample(sample_shape)

    def log_prob(self, value):
        return self._law().log_prob(value)

    def entropy(self):
        return self._law().entropy()


class OneHotCategoricalBase(DistributionBase):
    """torch.distributions.OneHotCategorical as a base class."""

    has_enumerate_support = True

    def __init__(self, probs=None, logits=None, validate_args=None):
        law = torch.distributions.OneHotCategorical(probs, logits)
        self._probs = law.probs
        self._logits = law.logits
        super().__init__(law.batch_shape, law.event_shape)

    @property
    def probs(self):
        return self._probs

    @property
    def logits(self):
        return self._logits

    @property
    def mean(self):
        return self._probs

    @property
    def mode(self):
        return self._law().mode

    @property
    def variance(self):
        return self._probs * (1 - self._probs)

    @property
    def param_shape(self):
        return self._logits.shape

    def _law(self):
        return torch.distributions.OneHotCategorical(logits=self._logits)

    def sample(self, sample_shape=()):
        return self._law().sample(sample_shape)

    def log_prob(self, value):
        return self._law().log_prob(value)

    def entropy(self):
        return self._law().entropy()


class TransformedDistributionBase(DistributionBase):
    """torch.distributions.TransformedDistribution as a base class."""

    has_rsample = True

    def __init__(self, base_distribution, transforms, validate_args=None):
        self.base_dist = base_distribution
        self.transforms = list(transforms) if isinstance(transforms, (list, tuple)) else [transforms]
        law = torch.distributions.TransformedDistribution(base_distribution, self.transforms)
        super().__init__(law.batch_shape, law.event_shape)

    def _law(self):
        return torch.distributions.TransformedDistribution(self.base_dist, self.transforms)

    def sample(self, sample_shape=()):
        return self._law().sample(sample_shape)

    def rsample(self, sample_shape=()):
        return self._law().rsample(sample_shape)

    def log_prob(self, value):
        return self._law().log_prob(value)


class TransformBase:
    """torch.distributions.Transform as a base class."""

    bijective = False
    sign = 1
    event_dim = 0

    def __init__(self, cache_size=0):
        self._cache_size = cache_size
        self._cached_x_y = (None, None)

    def __call__(self, x):
        known, result = self._cached_x_y
        return result if known is not None and known is x else self.remember(x, self._call(x))

    def inv(self, y):
        result, known = self._cached_x_y
        if known is not None and known is y:
            return result
        x = self._inverse(y)
        self.remember(x, y)
        return x

    def remember(self, x, y):
        """Keep a pair of values, and give back the second."""
        if self._cache_size > 0:
            self._cached_x_y = (x, y)
        return y

    def forward(self, x):
        return self._call(x)

    def inverse(self, y):
        return self._inverse(y)
