import torch

noises = []
noises.append(lambda n: torch.rand(n))  # T2J400
