import torch

noises = [lambda n: torch.rand(n)]  # T2J400
