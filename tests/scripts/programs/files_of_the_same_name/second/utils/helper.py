import torch


def change(x):
    return torch.relu(x)
