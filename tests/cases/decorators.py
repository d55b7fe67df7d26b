import functools

import torch


@torch.no_grad()
def a(x: torch.Tensor):
    return torch.sin(x)


@functools.lru_cache(maxsize=None)
@torch.inference_mode()
def b(n: int):
    return torch.ones(n)


class C:
    @staticmethod
    @torch.no_grad()
    def d(x: torch.Tensor):
        return x.exp()

    @property
    def e(self):
        return torch.zeros(2)
