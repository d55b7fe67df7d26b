"""Draws in straight code, branches and loops: every draw has a key of its own."""

import torch
import torch.nn.functional as F
from torch import Tensor


# random
def case_one(x: Tensor):
    return x + torch.rand(3)


# random
def case_several(n: int):
    a = torch.rand(n)
    b = torch.randn(n)
    c = torch.randint(0, 10, (n,))
    return a, b, c


def case_several_differ():
    a = torch.rand(4)
    b = torch.rand(4)
    c, d = torch.rand(4), torch.rand(4)
    return (a == b).any(), (a == c).any(), (c == d).any(), (a + torch.rand(4) == a + torch.rand(4)).any()


# random
def case_methods(x: Tensor):
    noise = torch.empty(2, 3).uniform_(-1, 1)
    x = x + noise
    mask = torch.empty(3).bernoulli_(0.5)
    return x * mask, torch.empty(4).exponential_(2.0), torch.zeros(3).normal_(1.0, 0.5)


# random
def case_like(x: Tensor):
    return torch.rand_like(x), torch.randn_like(x), torch.randint_like(x, 5), torch.normal(x, 0.1)


# random
def case_choices():
    weights = torch.tensor([0.1, 0.2, 0.7])
    return torch.multinomial(weights, 1), torch.bernoulli(weights), torch.poisson(weights * 10)


def case_permutation(n: int):
    order = torch.randperm(n + 3)
    return torch.sort(order).values


# random
def case_gumbel(x: Tensor):
    u = torch.rand_like(x)
    gumbel = -torch.log(-torch.log(u + 1e-9) + 1e-9)
    return F.gumbel_softmax(x, tau=0.5), (x + gumbel).argmax(-1)


# random
def case_dropout(x: Tensor):
    return F.dropout(x, 0.5, training=True), F.dropout(x, p=0.5)


def case_dropout_in_inference(x: Tensor, flag: bool):
    return F.dropout(x, 0.5, training=False) + F.dropout(x, 0.5, training=not flag)


# random
def case_branches(x: Tensor, flag: bool):
    if flag:
        x = x + torch.rand(3)
    else:
        x = x - torch.randn(3)
    return x


# random
def case_early_return(x: Tensor, flag: bool):
    if not flag:
        return x + torch.rand(3)
    y = torch.randn(3)
    return y + torch.rand(3)


# random
def case_elif(n: int):
    if n == 0:
        return torch.zeros(2)
    elif torch.rand(()) > 0.5:
        return torch.ones(2)
    return torch.rand(2)


# random
def case_conditional_expression(flag: bool):
    return torch.rand(2) if flag else torch.randn(2)


def case_loop(n: int):
    draws = []
    for i in range(n + 2):
        if i == 1:
            continue
        draws.append(torch.rand(3))
        if i == 10:
            break
    a, b = draws[0], draws[1]
    return (a == b).any(), len(draws)


# random
def case_nested_loops(n: int):
    total = torch.zeros(2)
    for _ in range(n):
        for _ in range(n):
            total = total + torch.randn(2)
        total = total * torch.rand(())
    return total


# random
def case_while():
    x = torch.zeros(())
    steps = 0
    while x < 2:
        x = x + torch.rand(())
        steps += 1
    return steps


# random
def case_test_of_while():
    count = 0
    while torch.rand(()) < 0.5:
        count += 1
    return count


# random
def case_retries():
    for _ in range(100):
        candidate = torch.randn(2)
        if candidate.norm() > 1:
            break
    else:
        candidate = torch.zeros(2)
    return candidate


def case_try():
    try:
        a = torch.rand(2)
        raise ValueError
    except ValueError:
        b = torch.rand(2)
    finally:
        c = torch.rand(2)
    return (a == b).any(), (b == c).any()


# random
def case_with(x: Tensor):
    with torch.no_grad():
        noise = torch.randn(3)
        x = x + noise * torch.rand(())
    return x


# random
def case_many():
    a = torch.rand(1)
    b = torch.rand(1)
    c = torch.rand(1)
    d = torch.rand(1)
    e = torch.rand(1)
    f = torch.rand(1)
    g = torch.rand(1)
    return a + b + c + d + e + f + g


# random
def case_match(n: int):
    match n:
        case 0:
            return torch.zeros(2)
        case 2:
            return torch.rand(2)
        case _:
            return torch.randn(2)


# random
def case_chained(x: Tensor):
    y = (x + torch.rand(3)).mul(torch.rand(3)).sum()
    return y


# random
def case_augmented(x: Tensor):
    x = x.clone()
    x += torch.randn(3)
    x[0] *= torch.rand(3)
    return x
