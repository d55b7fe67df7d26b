import torch

noise = lambda n: torch.rand(n)  # T2J400
