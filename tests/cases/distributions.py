"""Distributions: by every spelling of their names, through fields, results and parameters; what has no counterpart is refused."""

import torch
import torch.distributions as D
import torch.nn as nn
from torch import distributions as td
from torch.distributions import Categorical, Distribution, Independent, Normal, constraints, kl_divergence
from torch.distributions.transforms import TanhTransform


class Actor(nn.Module):
    def __init__(self, n, m):
        super().__init__()
        self.net = nn.Linear(n, m)
        self.log_std = nn.Parameter(torch.zeros(m))
        self.prior = Normal(torch.zeros(m), torch.ones(m))
        self.learned = Normal(self.log_std, 1.0)  # T2J201

    def forward(self, x):
        return D.TransformedDistribution(
            D.normal.Normal(self.net(x), self.log_std.exp()), [TanhTransform(cache_size=1)]
        )

    def act(self, x):
        dist = self.forward(x)
        action = dist.rsample()
        return action, dist.log_prob(action).sum(-1), self.prior.sample((3,))


class Agent:
    def __init__(self, actor: Actor):
        self.actor = actor
        self.dist = Categorical(torch.ones(3))

    def step(self, x: torch.Tensor):
        return self.dist.sample(), self.dist.probs, self.actor(x).sample([2])


def by_parameter(dist: Normal, other: td.Distribution):
    return dist.rsample(), dist.loc, other.sample(torch.Size([2])), kl_divergence(dist, other)


def by_use(dist, x):
    return dist.rsample() + dist.log_prob(x)


def by_choice(discrete: bool, x: torch.Tensor):
    if discrete:
        dist = Categorical(logits=x)
    else:
        dist = Independent(Normal(x, 1.0), 1)
    return dist.sample(), dist.entropy(), isinstance(dist, (Normal, Distribution))


def by_list(means: list[torch.Tensor]):
    return [Normal(mean, 1.0).sample() for mean in means]


def unknown(thing):
    return thing.sample()  # T2J204


def not_a_distribution(env, memory, size):
    return env.action_space.sample(), memory.sample(size)


def stored(dist: Normal, x: torch.Tensor):
    dist.loc = x  # T2J203
    return dist


def supports(dist: Normal):
    return dist.support  # T2J203


def another_family(x: torch.Tensor):
    return kl_divergence(Normal(x, 1.0), D.Laplace(x, 1.0))  # T2J201


def constrained(x: torch.Tensor):
    return constraints.cat([constraints.positive, constraints.real]).check(x)  # T2J200


def circular(x: torch.Tensor):
    return D.Wishart(x, torch.eye(3))  # T2J200


class Doubled(D.Laplace):  # T2J206
    def log_prob(self, value):
        return 2 * super().log_prob(value)
