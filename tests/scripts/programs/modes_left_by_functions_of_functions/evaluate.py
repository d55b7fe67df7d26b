import torch


def evaluate_episode(model, size):
    model.eval()
    return model(torch.ones(size, 3)).sum().item(), size
