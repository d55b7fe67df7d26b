import torch
import torch.nn as nn
import torch.nn.functional as F


def robust_loss(model, clean, y, optimizer, step_size=0.01, epsilon=0.05, rounds=2, beta=1.0):
    """A loss of pictures that are searched for in evaluation mode, behind which the model trains again."""
    divergence = nn.KLDivLoss(reduction="sum")
    model.eval()
    batch_size = len(clean)
    found = clean.detach() + 0.001
    for _ in range(rounds):
        found.requires_grad_()
        distance = divergence(F.log_softmax(model(found), dim=1), F.softmax(model(clean), dim=1))
        grad = torch.autograd.grad(distance, [found])[0]
        found = found.detach() + step_size * torch.sign(grad.detach())
        found = torch.min(torch.max(found, clean - epsilon), clean + epsilon)
        found = torch.clamp(found, 0.0, 1.0)
    model.train()

    found = torch.clamp(found, 0.0, 1.0)
    optimizer.zero_grad()
    logits = model(clean)
    loss_natural = F.cross_entropy(logits, y)
    loss_robust = (1.0 / batch_size) * divergence(
        F.log_softmax(model(found), dim=1), F.softmax(model(clean), dim=1)
    )
    return loss_natural + beta * loss_robust


def evaluated_loss(model, x, y):
    """A loss that leaves the model in evaluation mode."""
    model.eval()
    return F.cross_entropy(model(x + 0.1), y)
