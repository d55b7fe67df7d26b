import torch


def noise(n: int): return torch.rand(n) + torch.rand(n)
