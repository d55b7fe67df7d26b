import torch

total = torch.zeros(3)


def show():
    return total.sum().item()
