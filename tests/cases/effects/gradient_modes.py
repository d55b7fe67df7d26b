"""Questions after the gradient mode."""

import torch
from torch import Tensor, nn
from torch.utils.checkpoint import checkpoint


class Saving(nn.Module):
    def __init__(self, saves):
        super().__init__()
        self.first = nn.Linear(3, 3)
        self.second = nn.Linear(3, 3)
        self.saves = saves
        with torch.no_grad():
            for p in self.parameters():
                p.fill_(0.25)

    def forward(self, x):
        if self.saves and self.training and torch.is_grad_enabled():
            x = checkpoint(self.first, x, use_reentrant=False)
        else:
            x = self.first(x)
        if torch.is_grad_enabled():
            # less memory
            x = checkpoint(self.second, x, use_reentrant=False)
        else:
            x = self.second(x)
        return checkpoint(self.first, x, use_reentrant=False) if torch.is_grad_enabled() else self.first(x)


def case_choice_of_checkpoints(x: Tensor):
    return Saving(True)(x)


def case_inside_of_a_context(x: Tensor):
    with torch.no_grad():
        if torch.is_grad_enabled():
            x = x * 2
        else:
            x = x * 3
    return x


@torch.no_grad()
def _in_function():
    return torch.is_grad_enabled()


def case_inside_of_a_decorated_function(x: Tensor):
    return x * 2 if _in_function() else x * 5


def case_depends_on_the_caller(x: Tensor):
    if torch.is_grad_enabled():  # T2J200
        return x
    return x * 2


def case_known_later(x: Tensor):
    with torch.no_grad():
        asked = lambda: torch.is_grad_enabled()  # T2J200
    return x if asked() else x * 2


def case_computes_something_else(x: Tensor):
    if torch.is_grad_enabled():  # T2J200
        x = torch.sin(x)
    else:
        x = torch.cos(x)
    return x
