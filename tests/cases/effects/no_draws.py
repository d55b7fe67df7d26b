"""What draws nothing takes no key."""

import random

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn


def softened(x: Tensor):
    return F.softmax(x, -1)


def case_no_key(x: Tensor):
    return softened(x)


# unchanged
def case_random_of_python():
    rng = random.Random(0)
    return rng.random(), rng.choice([1, 2, 3]), [rng.gauss(0, 1) for _ in range(2)]


# unchanged
def case_numpy_only(n: int):
    rng = np.random.default_rng(n)
    return rng.integers(0, 10, 3).tolist()


class Rng:
    def rand(self):
        return 0.5

    def normal_(self):
        return 1

    def manual_seed(self, seed):
        self.seed = seed


# unchanged
def case_names_only():
    rng = Rng()
    rng.manual_seed(3)
    return rng.rand(), rng.normal_(), rng.seed


class Scale(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(3))

    def forward(self, x):
        return x * self.weight


class Rest(nn.Module):
    def __init__(self, p: float = 0.5):
        super().__init__()
        self.dropout = nn.Dropout(p)
        self.scale = Scale()

    def forward(self, x):
        return self.dropout(self.scale(x))

    def plain(self, x):
        return self.scale(x)


def case_module_without_draws(x: Tensor):
    return Scale()(x)


def case_evaluated(x: Tensor):
    model = Rest()
    model.eval()
    return model(x)


def case_method_without_draws(x: Tensor):
    return Rest().plain(x)


def case_dropout_off(x: Tensor):
    return F.dropout(x, 0.5, training=False), F.dropout(x, training=False)


def case_attention(batch: Tensor):
    return F.scaled_dot_product_attention(batch, batch, batch)


def case_distribution_without_sample():
    normal = torch.distributions.Normal(torch.zeros(2), torch.ones(2))
    return normal.log_prob(torch.ones(2)), normal.mean, normal.entropy()


def entry(key: str, value: int):
    return {key: value}


# unchanged
def case_variable_named_key(n: int):
    for key in ("a", "b"):
        n += len(entry(key, value=n))
    return n


def case_seed_without_draws(x: Tensor):
    torch.manual_seed(0)
    return softened(x)


def generator_of_numbers(n: int):
    yield from range(n)


# unchanged
def case_generator(n: int):
    return list(generator_of_numbers(n))
