import torch
import torch.nn.functional as F


def polluting(model, x, target):
    x = x.clone().requires_grad_()
    loss = F.mse_loss(model(x), target)
    loss.backward()
    return (x + x.grad).detach()
