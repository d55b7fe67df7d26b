"""Seeds: where randomness starts, starts again, is kept and put back."""

import random

import numpy as np
import torch
from torch import Tensor


def case_again():
    torch.manual_seed(0)
    a = torch.rand(2)
    torch.manual_seed(0)
    b = torch.rand(2)
    c = torch.rand(2)
    return (a == b).all(), (b == c).any()


def case_other_seed():
    torch.manual_seed(0)
    a = torch.rand(2)
    torch.manual_seed(1)
    b = torch.rand(2)
    return (a == b).any()


def set_seed(seed: int):
    random.seed(seed)
    np.random.seed(seed)
    torch.manual_seed(seed)
    torch.cuda.manual_seed_all(seed)


def case_function_that_seeds():
    set_seed(0)
    a = torch.rand(2)
    set_seed(0)
    b = torch.rand(2)
    return (a == b).all(), random.random() < 1


def perhaps_seed(seed=None):
    if seed is not None:
        torch.manual_seed(seed)


def case_perhaps():
    perhaps_seed(3)
    a = torch.rand(2)
    perhaps_seed()
    b = torch.rand(2)
    perhaps_seed(3)
    c = torch.rand(2)
    return (a == b).any(), (a == c).all()


def draw(seed=None):
    if seed is not None:
        torch.manual_seed(seed)
    return torch.rand(2)


def case_perhaps_before_draws():
    return (draw(1) == draw(1)).all(), (draw() == draw()).any()


def case_drawn_before():
    a = torch.rand(2)
    torch.manual_seed(0)
    b = torch.rand(2)
    return a.shape, (a == b).shape


def case_every_round(n: int):
    draws = []
    for _ in range(n):
        torch.manual_seed(7)
        draws.append(torch.rand(2))
    return (draws[0] == draws[1]).all()


def case_once_before_loop(n: int):
    torch.manual_seed(7)
    draws = [torch.rand(2) for _ in range(n)]
    while torch.rand(()) < 0.5:
        draws.append(torch.rand(2))
    return (draws[0] == draws[1]).any()


def seeded_noise(x: Tensor, seed: int):
    torch.manual_seed(seed)
    return x + torch.randn_like(x)


def case_seeded_function(x: Tensor):
    return (seeded_noise(x, 1) == seeded_noise(x, 1)).all(), (seeded_noise(x, 1) == seeded_noise(x, 2)).any()


def case_draws_after_a_function_that_seeds_and_draws(x: Tensor):
    seeded_noise(x, 1)
    a = torch.rand(2)
    seeded_noise(x, 1)
    b = torch.rand(2)
    return (a == b).all()


class Environment:
    def __init__(self, seed: int):
        self.seed = seed
        self.reset()  # T2J401

    def reset(self):
        torch.manual_seed(self.seed)

    def step(self):
        return torch.rand(2)


def case_object_that_seeds():
    return (Environment(0).step() == Environment(0).step()).all()


def number_and_seed(n: int):
    torch.manual_seed(n)
    return n + 1


def case_result_and_seed():
    n = number_and_seed(2)
    a = torch.rand(2)
    number_and_seed(2)
    return n, (a == torch.rand(2)).all()


def case_state():
    state = torch.get_rng_state()
    a = torch.rand(2)
    torch.set_rng_state(state)
    b = torch.rand(2)
    c = torch.rand(2)
    return (a == b).all(), (b == c).any()


def case_state_of_module_random():
    state = torch.random.get_rng_state()
    a = torch.randn(2)
    torch.random.set_rng_state(state)
    return (a == torch.randn(2)).all()


def case_forked():
    torch.manual_seed(0)
    a = torch.rand(2)
    torch.manual_seed(0)
    with torch.random.fork_rng():
        torch.manual_seed(5)
        inner = torch.rand(2)
    b = torch.rand(2)
    return (a == b).all(), (inner == b).any()


def case_forked_without_seed():
    with torch.random.fork_rng():
        a = torch.rand(2)
    b = torch.rand(2)
    return (a == b).all()


def case_seed_of_a_branch(flag: bool):
    if flag:
        torch.manual_seed(0)
    else:
        torch.manual_seed(1)
    a = torch.rand(2)
    torch.manual_seed(0)
    return (a == torch.rand(2)).all()


# unchanged
def case_seeds_of_others():
    random.seed(0)
    np.random.seed(0)
    return random.random(), np.random.rand()


# unchanged
def case_generators_of_numpy():
    rng = np.random.default_rng(0)
    return float(rng.normal()) == float(np.random.default_rng(0).normal())


class Seeded(torch.nn.Module):
    def __init__(self, n: int, seed: int):
        super().__init__()
        self.seed = torch.manual_seed(seed)
        self.fc = torch.nn.Linear(n, 2)


def case_constructors_with_a_seed_of_their_own():
    a, b, c = Seeded(3, 1), Seeded(3, 1), Seeded(3, 2)
    drawn = torch.rand(2)
    return (a.fc.weight == b.fc.weight).all(), (a.fc.weight == c.fc.weight).any(), drawn.shape
