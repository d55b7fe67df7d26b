import torch


def hidden(x, jnp):  # T2J200
    return torch.where(x > 0, torch.sin(x), x) + jnp


def counted(model):
    np = sum(p.numel() for p in model.parameters())
    return np
