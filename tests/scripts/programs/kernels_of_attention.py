"""Kernels of attention that are chosen by contexts: they give the same numbers, so the choice goes."""

from collections import namedtuple
import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.attention import SDPBackend, sdpa_kernel


Config = namedtuple("Config", ["backends"])


class Attend(nn.Module):
    def __init__(self):
        super().__init__()
        self.cpu_config = Config([SDPBackend.FLASH_ATTENTION, SDPBackend.MATH])
        self.cuda_config = None
        if torch.cuda.is_available():
            p = torch.cuda.get_device_properties(torch.device("cuda"))
            self.cuda_config = Config([SDPBackend.MATH] if p.major == 8 else [SDPBackend.EFFICIENT_ATTENTION])

    def forward(self, q, k, v):
        config = self.cuda_config if q.is_cuda else self.cpu_config
        with sdpa_kernel(**config._asdict()):
            return F.scaled_dot_product_attention(q, k, v)


def plain(q):
    with sdpa_kernel(SDPBackend.MATH):
        a = F.scaled_dot_product_attention(q, q, q)
    with sdpa_kernel([SDPBackend.MATH, SDPBackend.FLASH_ATTENTION]):
        return a + F.scaled_dot_product_attention(q, q, q)


q = torch.arange(24.0).reshape(1, 2, 3, 4).sin()
print(Attend()(q, q + 1, q).sum().item(), plain(q).sum().item())
