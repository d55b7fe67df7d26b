# flagged: T2J601
"""A field that holds a frozen parameter in some modules, and a plain tensor in others."""

import torch
import torch.nn as nn


class D(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.w = torch.ones(n)
        if n > 2:
            self.w = nn.Parameter(self.w, requires_grad=False)


print(list(D(2).state_dict()), list(D(3).state_dict()))
