"""Control flow that programs say with functions themselves: torch.cond, while_loop, scan."""

import torch
import torch.nn as nn
from torch._higher_order_ops import associative_scan, scan, while_loop


def case_cond(x):
    def double(x):
        return x * 2

    return torch.cond(x.sum() > 0, double, lambda x: -x, (x,))


def case_cond_tuple(x: torch.Tensor, y: torch.Tensor):
    a, b = torch.cond(x.mean() > y.mean(), lambda x, y: (x + y, y.sum()), lambda x, y: (x - y, x.sum()), (x, y))
    return a * b


def case_while(x: torch.Tensor):
    def running(i, x):
        return i < 3

    def body(i, x):
        return i + 1, x * 2

    i, x = while_loop(running, body, (torch.tensor(0), x))
    return i, x


def case_scan(x: torch.Tensor):
    def step(carry, row):
        carry = carry + row
        return carry, carry * 2

    return scan(step, torch.zeros(3), x, dim=0)


def case_scan_with_pairs(batch: torch.Tensor):
    def step(carry, rows):
        total, peak = carry
        total = total + rows.mean()
        peak = peak.maximum(rows)
        return (total, peak), peak.sum()

    (total, peak), sums = scan(step, (torch.zeros(()), torch.zeros(3, 4)), batch)
    return total, peak, sums


def case_running_sum(x: torch.Tensor):
    return associative_scan(lambda a, b: a + b, x, dim=1, combine_mode="generic")


def case_operands_in_a_variable(x: torch.Tensor):
    operands = (x, x + 1)
    return torch.cond(x.sum() > 100, lambda a, b: a + b, lambda a, b: a - b, operands)  # T2J201


def case_no_operands(x: torch.Tensor):
    return torch.cond(x.sum() > 0, lambda: x + 1, lambda: x - 1)


class Gated(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)
        nn.init.constant_(self.fc.weight, 0.5)
        nn.init.zeros_(self.fc.bias)

    def forward(self, x):
        return torch.cond(x.sum() > 0, lambda x: self.fc(x), lambda x: x * 2, (x,))


def case_cond_in_module(x: torch.Tensor):
    model = Gated()
    return model(x), model(-x)


def noisy(x):
    return x + torch.randn_like(x)


def case_draws_in_a_branch(x: torch.Tensor):
    return torch.cond(x.sum() > 0, noisy, lambda x: x, (x,))  # T2J400
